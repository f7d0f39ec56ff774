/**
 * Sends a signal to the process group that `pid` leads (on Windows, which has none, to the process).
 * @returns Whether anybody was there to receive it. Signal 0 only asks.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
    return true
  } catch {
    return false
  }
}
