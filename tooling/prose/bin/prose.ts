#!/usr/bin/env node
import { isAbsolute, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { checkProse } from '../src/check-prose.ts'
import { EXCEPTIONS } from '../src/exceptions.ts'
import { formatViolation } from '../src/violation.ts'

const { values, positionals } = parseArgs({ options: { root: { type: 'string' } }, allowPositionals: true })
const root = values.root ?? process.cwd()
const paths = positionals.map(path => (isAbsolute(path) ? relative(root, path) : path))
const { violations, files } = checkProse({
  root,
  paths: paths.length === 0 ? undefined : paths,
  exceptions: EXCEPTIONS,
})
for (const violation of violations) console.error(formatViolation(violation))
if (violations.length > 0) {
  console.error(`prose: ${violations.length} violations in ${files} files`)
  process.exitCode = 1
} else console.log(`prose: ${files} files keep the rules`)
