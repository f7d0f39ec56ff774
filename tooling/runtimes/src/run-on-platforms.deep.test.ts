// Deep: it installs and starts other JavaScript runtimes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runOnPlatforms } from './run-on-platforms.ts'

it('runOnPlatforms reports each platform that prints something else, and a bundle that needs Node.js', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-platforms-'))
  const line = `import { line } from './line.ts'\n`
  writeFileSync(join(folder, 'line.ts'), `export const line: string = 'one'\n`)
  writeFileSync(join(folder, 'main.ts'), `${line}console.log(line)\n`)
  writeFileSync(join(folder, 'worker.ts'), `${line}export default { fetch: () => new Response(line) }\n`)
  writeFileSync(join(folder, 'node.ts'), `import 'node:fs'\nconsole.log('one')\n`)
  const program = { folder, main: 'main.ts', worker: 'worker.ts' }
  const healthy = await runOnPlatforms({ ...program, expected: 'one' })
  expect(healthy.problems).toEqual([])
  expect([...healthy.ran, ...healthy.skipped]).toEqual(['a bundle for browsers', 'bun', 'deno', 'workerd'])
  const other = await runOnPlatforms({ ...program, expected: 'two' })
  expect(other.problems).toEqual(other.ran.map(name => `${name} prints 'one' instead of 'two'`))
  const bound = await runOnPlatforms({ ...program, main: 'node.ts', expected: 'one' })
  expect(bound.problems[0]).toMatch(/^a bundle for browsers does not run the program: .*Could not resolve "node:fs"/s)
  rmSync(folder, { recursive: true })
}, 600_000)
