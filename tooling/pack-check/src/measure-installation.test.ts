import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { excessOf, measureInstallation } from './measure-installation.ts'

it('measureInstallation counts packages, also nested and scoped ones, and whole blocks of their files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-measure-'))
  const files = {
    'zod/index.js': 'a'.repeat(4097),
    '@parley/core/package.json': '{}',
    '@parley/core/node_modules/zod/index.js': '',
    '.bin/parley': 'not a package',
    '.package-lock.json': '{}',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'node_modules', path)), { recursive: true })
    writeFileSync(join(folder, 'node_modules', path), text)
  }
  const { packages, bytes } = await measureInstallation(folder)
  rmSync(folder, { recursive: true })
  expect(packages).toEqual(['@parley/core', 'zod', 'zod'])
  // Two blocks for zod, one for the manifest, and one each for the folders `node_modules` and `zod` in core.
  expect(bytes / 4096).toBe(5)
})

it('excessOf names the installed packages and the bytes above the limit', () => {
  const limit = { packages: 1, bytes: 10_000_000 }
  expect(excessOf({ packages: ['a'], bytes: 10_000_000 }, limit)).toEqual([])
  expect(excessOf({ packages: ['a', 'b'], bytes: 10_010_000 }, limit)).toEqual([
    'a working agent installs 2 packages, more than 1: a, b',
    'a working agent installs 10.01 MB, more than 10.00 MB: ship fewer files',
  ])
})
