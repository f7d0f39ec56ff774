import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openTempDirectory } from '../__fixtures__/open-temp-directory.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import { anything, openShell, sh, type ShellOutcome } from './__fixtures__/open-shell.ts'
import { createOutputCollector } from './collect-output.ts'
import { createShellTool } from './create-shell-tool.ts'

describe('output of a command', () => {
  it('long output is cut in the middle and says how many bytes are left out', async () => {
    await using scene = await openShell({ maxOutputBytes: 100 })
    const result = await scene.facts(sh('echo first; head -c 1000000 /dev/zero | tr "\\0" x; echo; echo last'))
    expect(result.truncated).toBe(true)
    expect(result.stdout).toMatch(/^first\nx+\n\[… 999\d{3} bytes left out …\]\nx+\nlast\n$/)
  })

  it('output has no terminal escape sequences', async () => {
    await using scene = await openShell()
    const { stdout } = await scene.facts(['printf', '\\033[31mred\\033[0m \\033]0;title\\007x\\000\\r\\n\\ttab'])
    expect(stdout).toBe('red x\n\ttab')
  })

  it('the shell tool reports output as progress, up to maxOutputBytes', async () => {
    const temp = await openTempDirectory()
    const tool = createShellTool({
      workspace: createWorkspace({ roots: [temp.path] }),
      policy: anything,
      maxOutputBytes: 10,
    })
    const updates: unknown[] = []
    const run = { runId: 'r', sessionId: 's', agent: 'a', scope: '', path: [], context: undefined }
    const context = { signal: new AbortController().signal, callId: 'c', idempotencyKey: 'k', run }
    await tool.execute(
      { argv: sh('echo hello; echo err >&2; yes | head -c 100000') },
      { ...context, progress: update => updates.push(update) },
    )
    expect(updates).toContainEqual({ stream: 'stderr', text: 'err\n' })
    const text = updates.flatMap(update =>
      (update as ShellOutcome & { stream: string }).stream === 'stdout' ? [(update as { text: string }).text] : [],
    )
    expect(text.join('').slice(0, 6)).toBe('hello\n')
    expect(text.join('').length).toBe(10)
    await temp[Symbol.asyncDispose]()
  })

  it('createOutputCollector returns text without broken characters for any bytes and any cut', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 7 }),
        (text, limit, step) => {
          const bytes = Buffer.from(text.replaceAll(/[\p{Cc}\uFFFD\p{Cs}]/gu, 'a'))
          const collector = createOutputCollector(limit)
          for (let at = 0; at < bytes.length; at += step) collector.push(bytes.subarray(at, at + step))
          const { text: kept, omittedBytes } = collector.end()
          expect(kept).not.toContain('\uFFFD')
          expect(kept.isWellFormed()).toBe(true)
          if (bytes.length <= limit) expect(kept).toBe(bytes.toString())
          else expect(omittedBytes).toBeGreaterThan(0)
        },
      ),
    )
    const collector = createOutputCollector(10)
    collector.push(Buffer.from([0xff, 0xfe, 0x80, 0x80, 0x80, 0x80, 0xf0, 0x9f, 0x80, 0xc3, 0x28, 0xa0, 0xa1]))
    expect(collector.end().text.isWellFormed()).toBe(true)
  })
})
