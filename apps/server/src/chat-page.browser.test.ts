import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { notTriedInBrowser, openChromium } from '@parley/browser'
import { expect, it } from 'vitest'
import { openChatPage } from './__fixtures__/open-chat-page.ts'

/** Starts the server of the example as its reader does. */
async function openExample(page: string, folder: string) {
  const script = join(import.meta.dirname, '../examples/chat-page/server.ts')
  const env = { ...process.env, PORT: '0', PAGE: page, CHATS: join(folder, 'chats.db') }
  const child = spawn(process.execPath, ['--conditions=@parley/source', script], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
  const close = async (): Promise<void> => {
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    await closed
  }
  return { url, [Symbol.asyncDispose]: close }
}

it(
  'the chat page of the documentation answers, and shows the chat again after the page and the server were closed',
  { timeout: 240_000 },
  async context => {
    await using chromium = await openChromium()
    if (chromium === undefined) return notTriedInBrowser(context)
    await using site = await openChatPage('../../examples/chat-page/page.tsx')
    const folder = await mkdtemp(join(tmpdir(), 'parley-chat-page-'))
    const page = await chromium.browser.newPage()
    const shown = async (): Promise<readonly string[]> => page.locator('main p').allTextContents()
    const say = async (text: string): Promise<void> => {
      await page.getByLabel('Message').fill(text)
      await page.getByText('Send').click()
    }
    let chat = ''
    {
      await using server = await openExample(site.origin, folder)
      await page.goto(`${site.origin}/?server=${encodeURIComponent(server.url)}`)
      await say('What is 12 * 34?')
      await page.locator('.assistant', { hasText: '408' }).waitFor()
      chat = new URL(page.url()).hash
    }
    const before = await shown()
    expect(before).toHaveLength(2)
    await using server = await openExample(site.origin, folder)
    await page.goto(`${site.origin}/?server=${encodeURIComponent(server.url)}${chat}`)
    await page.locator('.assistant', { hasText: '408' }).waitFor()
    expect(await shown()).toEqual(before)
    await say('What is 2 * 3?')
    await page.locator('.assistant', { hasText: /= ?6|\b6\b/ }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await shown()).toHaveLength(4)
    await page.close()
    await rm(folder, { recursive: true, force: true })
  },
)
