// Resumes a run in a process of its own, and sends what that took. Only what it needs is imported, because imports take memory too.
//   fork('resume-process.mjs', ['{"side":"parley","file":"…","runId":"…"}'])
const { side, file, runId } = JSON.parse(process.argv[2])
const resume =
  side === 'parley'
    ? (await import('./released-run.mjs')).resumeJournal
    : (await import('./bare-journal.mjs')).readBareJournal
const peakMb = () => (process.resourceUsage().maxRSS * 1_024) / 1e6
const before = peakMb()
const resumeMs = await resume(file, runId)
process.send({ resumeMs, resumeMb: peakMb() - before, peakMb: peakMb() }, () => process.exit(0))
