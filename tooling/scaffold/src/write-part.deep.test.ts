// Deep: it compiles and tests each kind of part that it writes.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { PART_KINDS, writePart } from './write-part.ts'

const REPOSITORY = join(import.meta.dirname, '../../..')
// Inside this package, whose dependencies the parts then find. TypeScript and the linters skip folders that begin with a dot.
const root = await mkdtemp(join(import.meta.dirname, '../.scratch-'))
afterAll(() => rm(root, { recursive: true }))

for (const host of ['packages/middleware', 'packages/tools']) {
  await mkdir(join(root, host), { recursive: true })
  for (const file of ['package.json', 'tsup.config.ts']) await cp(join(REPOSITORY, host, file), join(root, host, file))
}
const written: string[] = []
for (const kind of PART_KINDS) written.push(...(await writePart({ kind, name: `new-${kind}`, root })))

// The suites of the written parts run here: those of the contracts, of the middleware and of the tool.
for (const file of written.filter(path => path.endsWith('.test.ts'))) await import(join(root, file))

it('pnpm new writes parts with their tests', () => {
  expect(written.filter(file => file.endsWith('.test.ts'))).toEqual([
    'packages/providers/new-provider/src/create-new-provider.test.ts',
    'packages/stores/new-store/src/open-new-store-store.test.ts',
    'packages/middleware/src/new-middleware/new-middleware.test.ts',
    'packages/tools/src/new-tool/new-tool.test.ts',
  ])
})

it('pnpm new adds a subpath to the package of a middleware', async () => {
  const { exports } = JSON.parse(await readFile(join(root, 'packages/middleware/package.json'), 'utf8')) as {
    exports: Record<string, unknown>
  }
  expect(exports['./new-middleware']).toMatchObject({ default: './dist/new-middleware/index.js' })
  expect(await readFile(join(root, 'packages/tools/tsup.config.ts'), 'utf8')).toContain(
    "'new-tool/index': 'src/new-tool/index.ts'",
  )
})

it('the parts that pnpm new writes have valid types', { timeout: 600_000 }, async () => {
  const include = ['packages/*/*/src', 'packages/*/src']
  await writeFile(join(root, 'tsconfig.json'), JSON.stringify({ extends: '../../../tsconfig.base.json', include }))
  const tsc = join(REPOSITORY, 'node_modules/typescript/bin/tsc')
  const compiled = promisify(execFile)(process.execPath, [tsc, '-p', root])
  await expect(compiled.catch((error: { stdout: string }) => error.stdout)).resolves.toMatchObject({ stdout: '' })
})

it.each([
  ['Acme', 'Acme: cannot be the name of a part; use lower-case words joined by hyphens'],
  ['new-store', 'packages/stores/new-store: exists already; choose another name'],
])('pnpm new rejects the name %s', async (name, message) => {
  await expect(writePart({ kind: 'store', name, root })).rejects.toThrow(message)
})
