#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkAgent } from '../src/check-agent.ts'
import { lintTarball } from '../src/lint-tarball.ts'
import { megabytes } from '../src/measure-installation.ts'
import { openInstallation } from '../src/open-installation.ts'
import { packPackages } from '../src/pack-packages.ts'

const root = process.cwd()
const { engines, packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly engines: { readonly node: string }
  readonly packageManager: string
}
const folder = await mkdtemp(join(tmpdir(), 'parley-pack-'))
const problems: string[] = []
try {
  const tarballs = await packPackages({ root, into: folder, packageManager })
  const unbuilt = tarballs.filter(({ files }) => !files.some(file => file.startsWith('dist/')))
  problems.push(...unbuilt.map(({ manifest }) => `${manifest.name}: dist is missing. Run the build first.`))
  if (tarballs.length === 0) problems.push('pnpm packed no public package.')
  if (problems.length === 0) {
    for (const tarball of tarballs) problems.push(...(await lintTarball(tarball)))
    const agent = await checkAgent(tarballs)
    problems.push(...agent.problems)
    console.log(`pack-check: a working agent is ${agent.size.packages.length} packages, ${megabytes(agent.size.bytes)}`)
    await using installation = await openInstallation({ tarballs, node: engines.node.replace(/^\D+/, '') })
    problems.push(...(await installation.checkTypes()))
    const programs = await installation.runPrograms(root)
    problems.push(...programs.problems)
    console.log(
      `pack-check: ${programs.programs} programs of new users ran; one of them also in ${programs.ran.join(', ')}`,
    )
    for (const name of programs.skipped)
      console.error(`pack-check: NOT RUN IN ${name.toUpperCase()}: no binary for this machine`)
    const { imported, failures } = await installation.importAll()
    problems.push(...failures)
    console.log(`pack-check: ${tarballs.length} packages packed, ${imported} subpaths imported on ${installation.node}`)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
