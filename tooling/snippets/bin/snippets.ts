#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { syncSnippets } from '../src/sync-snippets.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean' }, write: { type: 'boolean' } } })
if (values.check === values.write) {
  console.error('Usage: snippets --check | --write')
  process.exit(2)
}
const { problems, written, files } = syncSnippets({ root: process.cwd(), write: values.write })
for (const file of written) console.log(`snippets: rewrote ${file}`)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
else console.log(`snippets: ${files} Markdown files show the code of their examples`)
