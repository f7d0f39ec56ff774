// Uses one core until the parent process ends, at most for eight hours.
const parent = process.ppid
const end = Date.now() + 8 * 3_600_000

while (process.ppid === parent && Date.now() < end) for (let count = 0; count < 20_000_000; count++);
