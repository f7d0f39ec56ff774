// Runs every test, or shows the last result again if nothing has changed. With arguments it runs Vitest with them.
//   pnpm test              pnpm test packages/core              pnpm test --changed
import { spawn } from 'node:child_process'

const given = process.argv.slice(2)
const all = ['run', '//#test:all', '--ui=stream', '--log-prefix=none']
const [program, args] = given.length === 0 ? ['turbo', all] : ['vitest', ['run', ...given]]
const child = spawn(program, args, { stdio: 'inherit', shell: process.platform === 'win32' })
child.on('close', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1)
})
