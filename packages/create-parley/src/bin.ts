#!/usr/bin/env node
import { runCreate } from './run-create.ts'

process.exitCode = await runCreate({
  args: process.argv.slice(2),
  isTerminal: process.stdin.isTTY && process.stdout.isTTY,
  out: text => void process.stdout.write(text),
  err: text => void process.stderr.write(text),
})
