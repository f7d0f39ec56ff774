import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { lintTarball } from './lint-tarball.ts'
import type { Tarball } from './tarball.ts'

const manifest = {
  name: 'sample',
  version: '1.0.0',
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  files: ['dist'],
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
}
const HEALTHY = {
  'README.md': '# sample\n',
  'SKILL.md': '---\nname: sample\n---\n',
  LICENSE: 'MIT\n',
  'dist/index.js': 'export const a = 1\n',
  'dist/index.d.ts': 'export declare const a: number\n',
}

function pack(files: Readonly<Record<string, string>>): Tarball & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'parley-lint-'))
  const all = { 'package.json': JSON.stringify(manifest), ...files }
  for (const [path, content] of Object.entries(all)) {
    const target = join(folder, 'package', path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content)
  }
  const path = join(folder, 'sample.tgz')
  execFileSync('tar', ['-czf', path, '-C', folder, 'package'])
  const remove = (): void => rmSync(folder, { recursive: true })
  return { path, manifest, files: Object.keys(all), [Symbol.dispose]: remove }
}

it('lintTarball reports no problem of a correct package', async () => {
  using tarball = pack(HEALTHY)
  expect(await lintTarball(tarball)).toEqual([])
})

it('lintTarball reports missing files that the manifest names and files that must not be published', async () => {
  using tarball = pack({ LICENSE: 'MIT\n', 'dist/index.d.ts': `export * from './missing.js'\n`, 'src/a.test.ts': '' })
  const problems = await lintTarball(tarball)
  expect(problems).toEqual([
    expect.stringMatching(/^sample: publint:[^]*\.\/dist\/index\.js but the file does not exist/),
    expect.stringMatching(/^sample: attw:[^]*Internal resolution error/),
    'sample: README.md is not in the package',
    'sample: SKILL.md is not in the package',
    'sample: src/a.test.ts is published',
  ])
})

it('lintTarball reports a bundled package whose license is missing from THIRD-PARTY-LICENSES.md', async () => {
  const code = `// ../../node_modules/.pnpm/a@1.0.0/node_modules/a/dist/a.js\n// ../node_modules/@b/c/d.js\n${HEALTHY['dist/index.js']}`
  using tarball = pack({ ...HEALTHY, 'dist/index.js': code, 'THIRD-PARTY-LICENSES.md': '# Licenses\n\n## a\n\nMIT\n' })
  expect(await lintTarball(tarball)).toEqual([
    'sample: THIRD-PARTY-LICENSES.md lacks the license of the bundled package @b/c',
  ])
})
