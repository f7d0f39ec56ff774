import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const FIRST_RUN = fileURLToPath(new URL('__fixtures__/first-run.ts', import.meta.url))
/** Each takes up to 7 ms and 3 MB in a new process. */
const SLOW = /crypto|perf_hooks|navigator/

it('the first run of a process loads no part of Node.js that is slow to load', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@parley/source', FIRST_RUN])
  const { status, loaded } = JSON.parse(stdout) as { readonly status: string; readonly loaded: readonly string[] }
  expect(status).toBe('completed')
  expect(loaded).toContain('NativeModule internal/abort_controller')
  expect(loaded.filter(name => SLOW.test(name))).toEqual([])
})
