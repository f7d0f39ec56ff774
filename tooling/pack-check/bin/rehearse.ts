#!/usr/bin/env node
// Publishes the built packages to a registry on this machine, and installs them from there.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packPackages } from '../src/pack-packages.ts'
import { rehearseRelease } from '../src/rehearse-release.ts'

const root = process.cwd()
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { packageManager: string }
const folder = await mkdtemp(join(tmpdir(), 'parley-pack-'))
try {
  const tarballs = await packPackages({ root, into: folder, packageManager })
  const { steps, problems } = await rehearseRelease({ root, tarballs })
  for (const step of steps) console.log(`rehearse: ${step}`)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
