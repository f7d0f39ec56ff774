import { execFile } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'

const COMMAND = path.join(import.meta.dirname, '../run-tests.mjs')

function run(
  ...args: readonly string[]
): Promise<{ readonly code: unknown; readonly out: string; readonly error: string }> {
  return new Promise(resolve => {
    execFile(process.execPath, [COMMAND, ...args], (error, out, errors) =>
      resolve({ code: error?.code ?? 0, out, error: errors }),
    )
  })
}

it('pnpm test refuses an unknown option and names the help', async () => {
  const { code, error } = await run('--quietly')
  expect(code).toBe(2)
  expect(error).toContain('Unknown option `--quietly`\nSee npx -y pnpm@12 test --help')
})

it('pnpm test names the deep suite when no file matches', async () => {
  const { code, out } = await run('no-such-file')
  expect(code).toBe(1)
  expect(out).toContain('Tests of the deep suite: npx -y pnpm@12 test:deep PATH')
})

it('pnpm test --help explains both suites and every option of its own', async () => {
  const { code, out } = await run('--help')
  expect(code).toBe(0)
  for (const word of ['test:deep', '--changed', '-t PATTERN', '--slow', '--force']) expect(out).toContain(word)
})
