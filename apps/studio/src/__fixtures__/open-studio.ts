import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { notTriedInBrowser, openChromium } from '@parley/browser'
import type { Store } from '@parley/core'
import { createRuntime, type Agent } from '@parley/engine'
import type { RunsAccess } from '@parley/runs-api'
import { openPostgresStore } from '@parley/postgres'
import { openServer } from '@parley/server'
import { openSqliteStore } from '@parley/sqlite'
import type { Page } from 'playwright-core'
import type { TestContext } from 'vitest'
import { studioAssets } from '../studio-assets.ts'
import { demoAgents } from './demo-agents.ts'
import { seedDemo, type SeededRuns } from './seed-demo.ts'

/** Milliseconds that a page may take on a machine that runs other tests. */
export const SLOW = 120_000

export interface StudioOptions {
  readonly access?: RunsAccess | undefined
  readonly agents?: readonly Agent[] | undefined
  readonly isSeeded?: boolean | undefined
  /** Address of a PostgreSQL database. @default a new SQLite file */
  readonly postgres?: string | undefined
}

/** Reads the built page and starts Chromium, once for a file of tests. */
export async function openStudioBrowser() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-studio-'))
  const [assets, chromium] = await Promise.all([studioAssets(), openChromium()])

  /** Opens the server of a studio. Skips the test if Chromium does not start here. */
  async function open(context: TestContext, options: StudioOptions = {}) {
    if (chromium === undefined) return notTriedInBrowser(context)
    const { browser } = chromium
    const place = options.postgres ?? join(folder, `${crypto.randomUUID()}.db`)
    const store: Store & AsyncDisposable =
      options.postgres === undefined ? await openSqliteStore({ path: place }) : await openPostgresStore({ url: place })
    const agents = options.agents ?? demoAgents({ delayMs: 0 })
    const create = () => createRuntime({ store, agents, captureRequests: 'keep', leaseMs: 5_000 })
    // Drives the runs that a test starts, as another process would.
    const runtime = create()
    const seeded = options.isSeeded === true ? await seedDemo(store, place) : ({} as SeededRuns)
    const serve = (port: number) => openServer({ runtime: create(), agents, access: options.access ?? 'admin', studio: assets, port })
    let server = await serve(0)
    const faults: string[] = []
    const pages: Page[] = []

    async function openPage(address = '/', size = { width: 1280, height: 800 }): Promise<Page> {
      const page = await browser.newPage({ viewport: size })
      page.setDefaultTimeout(SLOW / 2)
      page.on('pageerror', error => faults.push(error.message))
      page.on('console', message => {
        if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
      })
      page.on('request', request => {
        const { origin } = new URL(request.url())
        if (origin !== server.url && !request.url().startsWith('data:')) faults.push(`left the origin: ${request.url()}`)
      })
      pages.push(page)
      await page.goto(`${server.url}/studio${address}`)
      return page
    }

    return {
      runtime,
      store,
      seeded,
      faults,
      openPage,
      url: () => server.url,
      /** Cuts all connections. The runs continue, as with a worker of another process. `begin` starts a server at the same address. */
      stopServer: async () => {
        const { port } = server
        await server.close({ drainMs: 0 })
        return { begin: async () => void (server = await serve(port)) }
      },
      [Symbol.asyncDispose]: async () => {
        await Promise.all(pages.map(page => page.close()))
        await server[Symbol.asyncDispose]()
        await runtime.close()
        await store[Symbol.asyncDispose]()
      },
    }
  }

  const close = async (): Promise<void> => {
    await chromium?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
  return { open, assets, [Symbol.asyncDispose]: close }
}
