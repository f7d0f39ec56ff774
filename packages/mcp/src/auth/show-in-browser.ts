import { spawn } from 'node:child_process'

/** Opens a page in the user's default browser. Resolves once the opener has started, or could not be started. */
export async function showInBrowser(url: URL): Promise<void> {
  const [command, args] = commandFor(url.href)
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  // The machine may have no browser. The program should also print the address.
  await new Promise<void>(resolve => {
    child.once('spawn', resolve)
    child.once('error', () => resolve())
  })
  child.unref()
}

function commandFor(href: string): readonly [string, string[]] {
  if (process.platform === 'darwin') return ['open', [href]]
  // Not `start`: it runs in a shell, which would interpret the address.
  if (process.platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', href]]
  return ['xdg-open', [href]]
}
