// Checks Parley's reader, request schemas, recorded streams and server with an Agent API kit.   node agent-api-check.mjs KIT
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { readAgentStream, toRunInput } from '@parley/agent-api'
import { createStreamChecker } from '@parley/agent-api/check'
import { parseAgentRequest } from '@parley/agent-api/schema'

const [kit] = process.argv.slice(2)
const root = path.resolve(import.meta.dirname, '../..')
const RECORDERS = [
  'packages/protocols/agent-api/src/__fixtures__/record-streams.mjs',
  'apps/server/src/__fixtures__/record-streams.mjs',
]
let checks = 0
const failures = []

function check(isRight, what) {
  checks++
  if (!isRight) failures.push(what)
}

function filesOf(dir, pattern) {
  return readdirSync(path.join(kit, dir))
    .filter(name => pattern.test(name))
    .map(name => ({ name, bytes: readFileSync(path.join(kit, dir, name)) }))
}

function pieces(bytes, size) {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}

async function read(bytes, { numbered = true, size = 7 } = {}) {
  const observer = createStreamChecker({ numbered })
  const stream = readAgentStream(pieces(bytes, size), { observer })
  const events = []
  for await (const event of stream) events.push(event)
  return { events, response: stream.current, violations: observer.violations }
}

const TERMINAL = new Set(['completed', 'failed', 'canceled', 'rejected', 'incomplete'])
const isTerminal = ({ object, status }) => object === 'response' && TERMINAL.has(status)

const selfTest = spawnSync(process.execPath, [path.join(kit, 'self-test.mjs')], { stdio: 'inherit' })
check(selfTest.status === 0, 'the self-test of the kit fails')

const flags = JSON.parse(readFileSync(path.join(kit, 'golden/good/flags.json'), 'utf8'))
for (const { name, bytes } of filesOf('golden/good', /\.(sse|ndjson)$/)) {
  const { events, response, violations } = await read(bytes, { numbered: !flags[name]?.includes('--no-seq') })
  const last = events.at(-1)
  check(violations.length === 0, `${name}: ${JSON.stringify(violations[0])}`)
  check(JSON.stringify(response.output) === JSON.stringify(last.output), `${name}: the assembled output differs`)
}
for (const { name, bytes } of filesOf('golden/bad', /\.sse$/)) {
  const { events, violations } = await read(bytes)
  check(violations.length > 0, `${name}: no violation was found`)
  check(
    events.filter(isTerminal).length === 1 && isTerminal(events.at(-1)),
    `${name}: must end with exactly one terminal event`,
  )
}

for (const [dir, isAccepted] of [
  ['accept', true],
  ['lenient', true],
  ['reject', false],
]) {
  for (const { name, bytes } of filesOf(`requests/${dir}`, /\.json$/)) {
    let error
    try {
      toRunInput(parseAgentRequest(JSON.parse(bytes.toString())))
    } catch (caught) {
      error = caught
    }
    const fits = isAccepted ? error === undefined : error?.code === 'request-invalid'
    check(fits, `requests/${dir}/${name}: ${error?.message ?? 'accepted'}`)
  }
}

const {
  check: checkStream,
  checkBytes,
  parseStream,
  record,
} = await import(pathToFileURL(path.join(kit, 'check-stream.mjs')))

function firstViolation(results) {
  const broken = results.find(({ hits, level }) => level === 'fail' && hits.length > 0)
  return broken && `${broken.id} ${JSON.stringify(broken.hits[0])}`
}

let streams = 0
for (const recorder of RECORDERS) {
  const dir = mkdtempSync(path.join(tmpdir(), 'agent-api-'))
  const flags = ['--conditions=@parley/source', path.join(root, recorder), dir]
  const { status } = spawnSync(process.execPath, flags, { stdio: 'inherit' })
  check(status === 0, `${recorder}: recording the scenarios failed`)
  for (const name of readdirSync(dir)) {
    streams++
    const bytes = readFileSync(path.join(dir, name))
    const broken = firstViolation(checkBytes(bytes, { profile: 'strict' }))
    check(broken === undefined, `recorded ${name}: ${broken}`)
    const { violations } = await read(bytes, { size: 4096 })
    check(violations.length === 0, `recorded ${name}: ${JSON.stringify(violations[0])}`)
  }
  rmSync(dir, { recursive: true })
}

// `parley serve` with the demo model: every valid request must get a stream, every invalid one a 4xx status.
const served = await openServed()
for (const [dir, isAccepted] of [
  ['accept', true],
  ['lenient', true],
  ['reject', false],
]) {
  for (const { name, bytes } of filesOf(`requests/${dir}`, /\.json$/)) {
    const body = bytes.toString()
    const { buf, http, startedAt } = await record(`${served.url}/process`, body)
    const what = `served requests/${dir}/${name}`
    if (!isAccepted) check(http.status >= 400 && http.status < 500, `${what}: answered with ${http.status}`)
    else if (http.contentType?.includes('json')) {
      const { object, status } = JSON.parse(buf.toString())
      check(http.status === 200 && object === 'response' && status === 'completed', `${what}: ${http.status} ${status}`)
    } else {
      const request = JSON.parse(body)
      const broken = firstViolation(checkStream(parseStream(buf), { profile: 'strict', http, startedAt, request }))
      check(http.status === 200 && broken === undefined, `${what}: ${http.status} ${broken}`)
    }
  }
}
await served.close()

async function openServed() {
  const dir = mkdtempSync(path.join(tmpdir(), 'agent-api-'))
  const cli = path.join(root, 'apps/cli/src/bin.ts')
  const child = spawn(
    process.execPath,
    ['--conditions=@parley/source', cli, 'serve', '--model', 'demo', '--port', '0'],
    { cwd: dir, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [line] = await once(child.stdout, 'data')
  return {
    url: /http:\S+/.exec(line.toString())[0],
    async close() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(dir, { recursive: true })
    },
  }
}

for (const failure of failures) console.log(`FAIL ${failure}`)
console.log(`${checks - failures.length} of ${checks} checks passed, ${streams} streams recorded`)
process.exitCode = failures.length === 0 ? 0 : 1
