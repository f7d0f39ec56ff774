#!/usr/bin/env node
import { PART_KINDS, writePart } from '../src/write-part.ts'

const [given, name, ...rest] = process.argv.slice(2)
const kind = PART_KINDS.find(known => known === given)
if (kind === undefined || name === undefined || rest.length > 0) {
  console.error(`Use: pnpm new ${PART_KINDS.join('|')} NAME`)
  process.exitCode = 1
} else {
  try {
    const written = await writePart({ kind, name, root: process.cwd() })
    console.log(
      `Wrote:\n${written.map(file => `  ${file}\n`).join('')}Next: npx -y pnpm@12 install, then npx -y pnpm@12 test ${name}`,
    )
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
