import { writeFileSync } from 'node:fs'

// Writes its process id to a file, because it never answers.
process.stderr.write('still thinking\n')
process.stdin.resume()
setInterval(() => {}, 60_000)
if (process.env.PID_FILE !== undefined) writeFileSync(process.env.PID_FILE, String(process.pid))
