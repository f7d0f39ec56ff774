// Tricks of the provider kit, which save time in each request or each chunk of a body.
const kit = file => `packages/providers/kit/src/${file}.ts`

export const providerTricks = [
  {
    name: 'encoding-cache',
    file: kit('request/create-encoding-cache'),
    saves: 'encoding every earlier message again in each turn',
    metric: 'answer-cpu',
    undo: [{ from: 'if (hit !== undefined) return hit', to: '' }],
  },
  {
    name: 'one-timer',
    file: kit('deadlines/create-deadline-timer'),
    saves: 'a new timer for each chunk of a body',
    metric: 'body-chunk-cpu',
    undo: [{ from: 'if (at < armedFor) arm(at)', to: 'arm(at)' }],
  },
  {
    name: 'dispatcher',
    file: kit('transport/create-platform-fetch'),
    saves: 'the streams and checks of fetch around its dispatcher',
    metric: 'request-cpu',
    undo: [{ from: 'if (!isOfNode(fetch)) return fetch', to: 'return fetch' }],
  },
  {
    name: 'header-fields',
    file: kit('transport/create-dispatch-fetch'),
    saves: 'reading the same Headers again for each request',
    metric: 'dispatch-cpu',
    undo: [{ from: 'createEncodingCache((headers: Headers)', to: '((headers: Headers)' }],
  },
  {
    name: 'redirect-error',
    file: kit('http/run-attempt'),
    saves: 'a copy of each request that the fetch of Node.js sends with redirect: manual',
    metric: 'fetch-request-cpu',
    undo: [{ from: `redirect: 'error' })`, to: `redirect: 'manual' })` }],
  },
]
