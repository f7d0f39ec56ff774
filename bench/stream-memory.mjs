// Measures how much memory a server process needs for one large run with several readers.
//   node --conditions=@parley/source bench/stream-memory.mjs [--delta 8,64,1000] [--readers 10] [--answer-mb 20] [--output-mb 50]
import { parseArgs } from 'node:util'
import { openLargeRunServer, readStream, startLargeRun } from '../apps/server/src/__fixtures__/read-large-run.ts'

const HELP = `Prints, for each size of the answer's deltas, how far the resident memory of the server process grew: in MB, and as
a multiple of the payload (tool output and answer). All readers must receive the terminal event.`

const string = { type: 'string' }
const { values } = parseArgs({
  options: {
    delta: { ...string, default: '8,64,1000' },
    readers: { ...string, default: '10' },
    'answer-mb': { ...string, default: '20' },
    'output-mb': { ...string, default: '50' },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) console.log(HELP)
else for (const delta of values.delta.split(',')) await measure(Number(delta))

async function measure(deltaChars) {
  const outputs = Math.ceil(Number(values['output-mb']) / 2)
  const run = { outputs, outputChars: 2_000_000, answerChars: Number(values['answer-mb']) * 1e6, deltaChars }
  const payload = run.outputs * run.outputChars + run.answerChars
  await using server = await openLargeRunServer(run)
  const begun = performance.now()
  const attach = async pauseMs => readStream(await fetch(`${server.url}/process/mine/events`), pauseMs)
  const first = readStream(await startLargeRun(server.url))
  // One reader attaches after the end, and one in three pauses after each MiB.
  const others = Array.from({ length: Number(values.readers) - 2 }, (_, index) => attach(index % 3 === 0 ? 10 : 0))
  const streams = await Promise.all([first, first.then(() => attach(0)), ...others])
  const whole = streams.filter(({ last }) => last.includes('"object":"response","status":"completed"')).length
  const grown = await server.grownBytes()
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1)
  console.log(
    `deltas of ${String(deltaChars).padStart(5)} characters: ${(grown / 1e6).toFixed(0)} MB, ${(grown / payload).toFixed(2)} x payload, ` +
      `${whole} of ${streams.length} streams whole, ${seconds} s`,
  )
}
