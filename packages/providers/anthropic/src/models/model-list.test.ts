import { createHttp, listModels } from '@parley/provider-kit'
import { expect, it } from 'vitest'
import { anthropicModelList } from './model-list.ts'

it('listModels requests page after page until the last page', async () => {
  const asked: string[] = []
  const pages = [
    { data: [{ id: 'a', display_name: 'A', max_input_tokens: 9 }], has_more: true, last_id: 'a/1' },
    { data: [{ id: 'b' }], has_more: false, last_id: 'b' },
  ]
  const fetch: typeof globalThis.fetch = url => {
    asked.push(url as string)
    return Promise.resolve(Response.json(pages[asked.length - 1]))
  }
  const http = createHttp({ provider: 'anthropic', baseUrl: 'https://h.example/v1', fetch })
  expect(await listModels(http, anthropicModelList, undefined)).toEqual([
    { id: 'a', name: 'A', contextWindow: 9 },
    { id: 'b' },
  ])
  expect(asked).toEqual([
    'https://h.example/v1/models?limit=1000',
    'https://h.example/v1/models?limit=1000&after_id=a%2F1',
  ])
})

it('listModels stops if a server repeats its page', async () => {
  let calls = 0
  const fetch: typeof globalThis.fetch = () => {
    calls++
    return Promise.resolve(Response.json({ data: [{ id: 'a' }], has_more: true, last_id: 'a' }))
  }
  const http = createHttp({ provider: 'anthropic', baseUrl: 'https://h.example/v1', fetch })
  await listModels(http, anthropicModelList, undefined)
  expect(calls).toBe(2)
})

it('anthropicModelList reads a list in an unknown form as empty', () => {
  for (const body of [null, {}, { data: 'none' }, { data: [null, { id: '' }, 7] }])
    expect(anthropicModelList.read(body)).toEqual([])
})
