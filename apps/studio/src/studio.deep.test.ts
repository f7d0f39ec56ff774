// Deep: it shows every page of Studio in Chromium on PostgreSQL; `pages.browser.test.ts` shows them on SQLite.
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { openStudioBrowser, SLOW } from './__fixtures__/open-studio.ts'
import { STUDIO_PAGES } from './__fixtures__/studio-pages.ts'

/** Creates a database on the test server. */
async function openDatabase() {
  const name = `parley_studio_${randomUUID().slice(0, 8)}`
  const url = new URL(inject('postgresUrl'))
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(`create database ${name}`)
  url.pathname = `/${name}`
  const close = async (): Promise<void> => {
    await client.query(`drop database ${name} with (force)`)
    await client.end()
  }
  return { url: url.href, [Symbol.asyncDispose]: close }
}

/** Where a folder is named, the pages are kept as pictures, for the READMEs. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env['PARLEY_PICTURES']
  if (folder !== undefined) await writeFile(join(folder, `${name}.png`), await page.screenshot())
}

test('the studio shows every page and decides an approval on PostgreSQL', { timeout: 4 * SLOW }, async context => {
  await using database = await openDatabase()
  await using browser = await openStudioBrowser()
  await using studio = await browser.open(context, { isSeeded: true, postgres: database.url })
  const page = await studio.openPage()
  for (const [name, address, text] of STUDIO_PAGES) {
    await page.goto(`${studio.url()}/studio${address(studio.seeded)}`)
    await page.getByText(text).first().waitFor()
    await keepPicture(page, name)
  }
  await page.goto(`${studio.url()}/studio/runs/${studio.seeded.waiting}?tab=conversation`)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Done: Paid 48 euros for order C-9.').waitFor()
  await page.goto(`${studio.url()}/studio/runs/${studio.seeded.overview}`)
  await page.getByRole('button', { name: 'Show the child run of researcher' }).first().click()
  await page.getByRole('listitem').filter({ hasText: 'search' }).first().waitFor()
  await page.getByRole('button', { name: 'Show the child run of researcher' }).click()
  await keepPicture(page, 'run')
  expect(studio.faults).toEqual([])
})
