#!/usr/bin/env node
import { checkNode } from './check-node.ts'

// Before anything else is loaded: the store's native code crashes without a word on older versions.
const complaint = checkNode(process.versions.node)
if (complaint === undefined) {
  const { main } = await import('./main.ts')
  process.exitCode = await main(process.argv.slice(2))
} else {
  process.stderr.write(`parley: ${complaint}\n`)
  process.exitCode = 2
}
