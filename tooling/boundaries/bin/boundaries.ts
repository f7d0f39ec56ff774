#!/usr/bin/env node
import { checkBoundaries } from '../src/check-boundaries.ts'
import { CORE_CONTRACTS } from '../src/contract-files.ts'
import { ENGINE } from '../src/engine-floors.ts'
import { EXCEPTIONS } from '../src/exceptions.ts'
import { formatViolation } from '../src/violation.ts'

const { violations, files, packages } = checkBoundaries({
  root: process.cwd(),
  exceptions: EXCEPTIONS,
  building: ENGINE,
  contracts: CORE_CONTRACTS,
})
for (const violation of violations) console.error(formatViolation(violation))
if (violations.length > 0) process.exitCode = 1
else console.log(`boundaries: ${files} files of ${packages} packages keep the rules`)
