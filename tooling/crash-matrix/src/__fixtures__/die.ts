/** Kills this process as `kill -9` does. */
export function die(): void {
  process.kill(process.pid, 'SIGKILL')
}
