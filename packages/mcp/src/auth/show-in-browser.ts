import { spawn } from 'node:child_process'

/** Shows a page in the user's browser. Resolves when the browser was asked, whether or not it obeys. */
export async function showInBrowser(url: URL): Promise<void> {
  const [command, args] = commandFor(url.href)
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  // A machine without a browser: whoever asked prints the address as well.
  await new Promise<void>(resolve => {
    child.once('spawn', resolve)
    child.once('error', () => resolve())
  })
  child.unref()
}

function commandFor(href: string): readonly [string, string[]] {
  if (process.platform === 'darwin') return ['open', [href]]
  // Not `start`: a shell would read the address.
  if (process.platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', href]]
  return ['xdg-open', [href]]
}
