process.stderr.write(`\u001B[31mfatal:\u001B[0m no database at ${process.env.DATABASE_TOKEN ?? 'nowhere'}\n`)
process.stderr.write('    at connect (server.js:1:1)\n')
process.exitCode = 3
