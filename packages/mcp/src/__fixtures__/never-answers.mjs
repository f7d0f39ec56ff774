import { writeFileSync } from 'node:fs'

// Tells its process id through a file, as it never says anything else.
process.stderr.write('still thinking\n')
process.stdin.resume()
setInterval(() => {}, 60_000)
if (process.env.PID_FILE !== undefined) writeFileSync(process.env.PID_FILE, String(process.pid))
