import type { Page } from 'playwright-core'
import { expect, type TestContext } from 'vitest'
import { openChatPage } from './open-chat-page.ts'
import { notTriedInBrowser, openChromium } from '@parley/browser'
import { openTestServer, type TestServerOptions } from './open-test-server.ts'

/** Timeout of a test in a browser. */
export const SLOW = 120_000

/** Opens Chromium and the page of `chat-page.mjs`. */
export async function openChatBrowser() {
  const [chromium, site] = await Promise.all([openChromium(), openChatPage()])

  /** Opens the page of a chat with a new server. The browser loads the page from another origin. */
  async function openChat(context: TestContext, options: TestServerOptions) {
    if (chromium === undefined) return notTriedInBrowser(context)
    const served = await openTestServer({ ...options, corsOrigins: [site.origin] })
    const page = await chromium.browser.newPage()
    page.setDefaultTimeout(SLOW / 2)
    const sent: string[] = []
    page.on('request', request => {
      if (request.method() === 'POST') sent.push(request.url())
    })
    const address = `${site.origin}/?api=${encodeURIComponent(`${served.url}/api/chat`)}&chat=chat`
    await page.goto(address)
    const close = async (): Promise<void> => {
      await page.close()
      await served[Symbol.asyncDispose]()
    }
    return { ...served, page, sent, address, [Symbol.asyncDispose]: close }
  }

  const close = async (): Promise<void> => {
    await chromium?.[Symbol.asyncDispose]()
    await site[Symbol.asyncDispose]()
  }
  return { openChat, [Symbol.asyncDispose]: close }
}

/** Waits until the chat shows the text and has no error. */
export async function untilAnswered(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).waitFor()
  await page.locator('#status', { hasText: 'ready' }).waitFor()
  expect(await page.locator('#error').textContent()).toBe('')
}
