#!/usr/bin/env -S node --conditions=@parley/source
import { fileURLToPath } from 'node:url'
import { checkDocs } from '../src/check/check-docs.ts'

const { problems, files } = checkDocs(fileURLToPath(new URL('../..', import.meta.url)))
for (const { file, line, message } of problems) console.error(`${file}:${line}  ${message}`)
if (problems.length === 0) console.log(`docs: the links and the spelling of ${files} documents are right`)
else {
  console.error(`docs: ${problems.length} problems; a correct word belongs in docs/src/check/words.txt`)
  process.exitCode = 1
}
