import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openRunsApi, untilIdle, type KeyName } from '../../__fixtures__/open-runs-api.ts'
import { RUNS_ROUTES } from './runs-routes.ts'

const LEVELS: readonly KeyName[] = ['none', 'viewer', 'operator', 'admin']
const refusal = (status: number, detail?: unknown) => ({
  info: { code: 'agent-request-failed', status, ...(detail === undefined ? {} : { detail }) },
})

describe('access to the Runs API', () => {
  it.each(RUNS_ROUTES.map(route => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
    '%s refuses every key below its access, and changes nothing for them',
    async (_, { method, path, access }) => {
      await using api = await openRunsApi({ script: [{ toolCalls: [{ name: 'pay' }] }] })
      const { runId } = await api.operator.start({ agent: 'guide', input: 'go' })
      await untilIdle(api.operator, runId)
      const before = [await api.store.runs({ scope: 'team' }), await api.store.read(runId)]
      const address = path
        .replace('{id}', runId)
        .replace('{turn}', '1')
        .replace('{runId}', runId)
        .replace('{callId}', 'c')
      for (const name of LEVELS.slice(0, LEVELS.indexOf(access))) {
        const response = await api.send(address, name, { method: method.toUpperCase() })
        expect([name, response.status, await response.text()]).toEqual([
          name,
          403,
          expect.stringContaining(`'${access}'`),
        ])
      }
      expect([await api.store.runs({ scope: 'team' }), await api.store.read(runId)]).toEqual(before)
      const allowed = await api.send(address, access, { method: method.toUpperCase() })
      await allowed.body?.cancel()
      expect(allowed.status).not.toBe(403)
    },
  )

  it('a run is unknown to every key of another scope, on every route', async () => {
    await using api = await openRunsApi()
    const { runId } = await api.operator.start({ agent: 'guide', input: 'go' })
    await untilIdle(api.operator, runId)
    const bodies: Readonly<Record<string, object>> = {
      steer: { message: 'x' },
      'follow-up': { message: 'x' },
      results: { callId: 'c', output: 'x' },
    }
    for (const { method, path } of RUNS_ROUTES.filter(route => route.path.startsWith('/runs/{id}'))) {
      const body = method === 'post' ? JSON.stringify(bodies[path.split('/').at(-1) ?? ''] ?? {}) : null
      const response = await api.send(path.replace('{id}', runId).replace('{turn}', '1'), 'other', {
        method: method.toUpperCase(),
        body,
      })
      expect([path, response.status]).toEqual([path, 404])
    }
    expect(await api.clientOf('other').runs()).toEqual({ runs: [] })
  })

  it('the access of the server bounds the access of every key', async () => {
    await using api = await openRunsApi({ access: 'viewer' })
    expect(await api.clientOf('admin').info()).toMatchObject({ access: 'viewer', canRun: false, scope: 'team' })
    await expect(api.clientOf('admin').start({ agent: 'guide', input: 'go' })).rejects.toMatchObject(refusal(403))
  })

  it('a server without keys has no Runs API unless it says which access', async () => {
    await using closed = await openRunsApi({ keys: [] })
    await expect(closed.operator.info()).rejects.toMatchObject(refusal(403))
    await using open = await openRunsApi({ keys: [], access: 'operator' })
    expect(await open.operator.info()).toMatchObject({ client: 'anonymous', access: 'operator', canRun: true })
  })

  it('a web page of another origin and an unknown host name can change nothing', async () => {
    await using api = await openRunsApi({ hosts: ['127.0.0.1'] })
    const body = JSON.stringify({ agent: 'guide', input: 'go' })
    const from = (headers: Record<string, string>) => api.send('/runs', 'operator', { method: 'POST', body, headers })
    expect((await from({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await from({ host: 'evil.example' })).status).toBe(403)
    expect(await api.store.runs({ scope: 'team' })).toEqual([])
    expect((await from({ origin: 'http://127.0.0.1', host: '127.0.0.1' })).status).toBe(201)
  })
})

describe('reading runs', () => {
  it('the list has pages without gaps, filters, and no run twice', async () => {
    await using api = await openRunsApi({ script: () => 'Fine.' })
    for (let index = 0; index < 5; index++) {
      const { runId } = await api.operator.start({
        agent: index % 2 === 0 ? 'guide' : 'helper',
        input: `order ${index}`,
      })
      await untilIdle(api.operator, runId)
    }
    const seen: string[] = []
    let after: string | undefined
    do {
      const page = await api.operator.runs({ limit: 2, after })
      seen.push(...page.runs.map(({ preview = '' }) => preview))
      after = page.next
    } while (after !== undefined)
    expect(seen).toEqual([4, 3, 2, 1, 0].map(index => `order ${index}`))
    const previews = async (query: object) => (await api.operator.runs(query)).runs.map(({ preview }) => preview)
    expect(await previews({ agent: 'helper' })).toEqual(['order 3', 'order 1'])
    expect(await previews({ text: 'order 2', roots: true })).toEqual(['order 2'])
    expect(await previews({ status: 'failed' })).toEqual([])
    expect(await previews({ since: Date.now() + 1_000 })).toEqual([])
    await expect(previews({ after: 'x' })).rejects.toMatchObject(refusal(400))
    await expect(previews({ status: 'odd' })).rejects.toMatchObject(refusal(400))
  })

  it('a run tells its detail, its journal in pages, its requests, its tree and its conversation', async () => {
    const script = [{ toolCalls: [{ name: 'helper', input: { task: 'x' } }] }, 'Done.']
    await using api = await openRunsApi({ script })
    const { runId } = await api.operator.start({ agent: 'guide', input: 'go', metadata: { ticket: 7 } })
    await untilIdle(api.operator, runId)
    const viewer = api.clientOf('viewer')
    const detail = await viewer.run(runId)
    expect(detail).toMatchObject({ runId, rootRunId: runId, turns: 2, requests: [1, 2], metadata: { ticket: 7 } })
    expect(detail.outcome?.status).toBe('completed')
    const first = await viewer.entries(runId, { limit: 3 })
    const rest = await viewer.entries(runId, { after: first.next })
    expect([...first.entries, ...rest.entries]).toEqual(await api.store.read(runId))
    expect(rest).not.toHaveProperty('next')
    const { request } = await viewer.request(runId, 2)
    expect(request).toEqual(JSON.parse(JSON.stringify(api.model.requests[1])))
    await expect(viewer.request(runId, 3)).rejects.toMatchObject(refusal(404, 'Unknown model call.'))
    const tree = await viewer.tree(runId)
    const child = tree.children[0]?.run
    expect(child).toMatchObject({ agent: 'helper', relation: 'sub-agent' })
    expect(await viewer.run(child?.runId ?? '')).toMatchObject({ rootRunId: runId, call: { runId } })
    const { messages } = await viewer.transcript(runId)
    expect(messages.map(({ message }) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(messages.every(message => message.runId === runId && message.seq !== undefined)).toBe(true)
  })

  it('events come live with pieces of the answer, and again from any entry', async () => {
    const gate = Promise.withResolvers<void>()
    await using api = await openRunsApi({ script: [{ text: 'One two three.', until: gate.promise }] })
    const { runId } = await api.operator.start({ agent: 'guide', input: 'go' })
    let text = ''
    const seqs: number[] = []
    for await (const event of api.operator.events(runId)) {
      gate.resolve()
      if (event.type === 'text.delta') text += event.text
      if ('v' in event) seqs.push(event.seq)
    }
    const entries = await api.store.read(runId)
    expect([text, seqs]).toEqual(['One two three.', entries.map(({ seq }) => seq)])
    const late: number[] = []
    for await (const { seq } of api.operator.events(runId, { after: 2 })) late.push(seq)
    expect(late).toEqual(seqs.slice(2))
    const header = await api.send(`/runs/${runId}/events`, 'viewer', { headers: { 'last-event-id': '3' } })
    expect(await header.text()).toMatch(/^id: 4\n/)
  })

  it('the OpenAPI document and the README list every route', async () => {
    await using api = await openRunsApi()
    const { paths } = (await (await api.send('/openapi.json', 'viewer')).json()) as { paths: Record<string, object> }
    const readme = readFileSync(new URL('../../../../../packages/runs-api/README.md', import.meta.url), 'utf8')
    for (const { method, path } of RUNS_ROUTES) {
      expect(paths[path]).toHaveProperty(method)
      expect(readme).toContain(path.replace('{runId}/{callId}', '{runId}/{callId}'))
    }
  })
})

describe('acting on runs', () => {
  it('a run starts with files in a session of its own, and continues a session', async () => {
    await using api = await openRunsApi({ script: () => 'Fine.' })
    const file = { type: 'file', mediaType: 'image/png', source: { type: 'base64', data: 'AAAA' } } as const
    const first = await api.operator.start({ agent: 'guide', input: [{ type: 'text', text: 'look' }, file] })
    await untilIdle(api.operator, first.runId)
    const second = await api.operator.start({
      agent: 'guide',
      input: 'more',
      sessionId: first.sessionId,
      model: 'other',
    })
    await untilIdle(api.operator, second.runId)
    const { messages } = await api.operator.transcript(second.runId)
    expect(messages[0]?.message.content).toContainEqual(file)
    expect(messages.map(({ runId }) => runId)).toEqual([first.runId, first.runId, second.runId, second.runId])
    expect(await api.operator.run(second.runId)).toMatchObject({ model: 'scripted/other', relation: 'continue' })
  })

  it('only an admin gives a run a context', async () => {
    await using api = await openRunsApi({ script: () => 'Fine.' })
    const request = { agent: 'guide', input: 'go', context: { user: 1 } }
    await expect(api.operator.start(request)).rejects.toMatchObject(refusal(403))
    const { runId } = await api.clientOf('admin').start(request)
    expect(await api.operator.run(runId)).toMatchObject({ context: { user: 1 } })
  })

  it('a fork is planned and started with another result, and reruns get sessions of their own', async () => {
    const script = [
      { toolCalls: [{ name: 'weather', callId: 'w' }] },
      'Sunny.',
      'Rainy.',
      ...Array<string>(6).fill('Again.'),
    ]
    await using api = await openRunsApi({ script })
    const { runId, sessionId } = await api.operator.start({ agent: 'guide', input: 'go' })
    await untilIdle(api.operator, runId)
    const at = (await api.store.read(runId)).find(entry => entry.type === 'tool.ended')?.seq
    const changes = { at, results: [{ callId: 'w', content: 'rain' }] }
    expect(await api.clientOf('viewer').planFork(runId, changes)).toMatchObject({
      needsInput: false,
      replaced: [{ callId: 'w' }],
    })
    const fork = await api.operator.fork(runId, changes)
    await untilIdle(api.operator, fork.runId)
    expect(fork.sessionId).not.toBe(sessionId)
    const { messages } = await api.operator.transcript(fork.runId)
    expect(messages[2]?.message.content).toEqual([{ type: 'text', text: 'rain' }])
    const { runs } = await api.operator.rerun(runId, { times: 3, input: 'else' })
    expect(new Set(runs.map(run => run.sessionId)).size).toBe(3)
    for (const run of runs) await untilIdle(api.operator, run.runId)
    expect(await api.operator.run(runs[0]?.runId ?? '')).toMatchObject({ relation: 'rerun', origin: runId })
  })

  it('a running run is steered and cancelled, and an ended one refuses both with 409', async () => {
    await using api = await openRunsApi({ script: [{ hang: true }, 'Next.'] })
    const { runId } = await api.operator.start({ agent: 'guide', input: 'go' })
    expect(await api.operator.steer(runId, { message: 'left' })).toEqual({ runId, status: 'running' })
    expect(await api.operator.followUp(runId, { message: 'then right' })).toEqual({ runId, status: 'running' })
    await api.operator.cancel(runId)
    await untilIdle(api.operator, runId)
    expect((await api.operator.run(runId)).status).toBe('cancelled')
    for (const act of [
      api.operator.cancel(runId),
      api.operator.resume(runId),
      api.operator.steer(runId, { message: 'x' }),
    ])
      await expect(act).rejects.toMatchObject(refusal(409))
  })

  it('a run that its process released is resumed, and pruned after its end', async () => {
    await using api = await openRunsApi({ script: [{ toolCalls: [{ name: 'pay' }] }, 'Paid.'] })
    const { runId } = await api.operator.start({ agent: 'guide', input: 'go' })
    await untilIdle(api.operator, runId)
    const admin = api.clientOf('admin')
    expect(await admin.prune(runId)).toEqual({ pruned: false })
    expect((await api.operator.resume(runId)).status).toMatch(/running|suspended/)
    await api.operator.cancel(runId)
    expect(await admin.prune(runId)).toEqual({ pruned: true })
    await expect(admin.run(runId)).rejects.toMatchObject(refusal(404, 'Unknown run.'))
  })

  it('bad requests get one clear error and change nothing', async () => {
    await using api = await openRunsApi()
    const { runId, sessionId } = await api.operator.start({ agent: 'guide', input: 'go' })
    await untilIdle(api.operator, runId)
    const before = await api.store.runs({ scope: 'team' })
    const { operator } = api
    const end = before[0]?.seq ?? 0
    const refused: readonly (readonly [Promise<unknown>, number, RegExp])[] = [
      [operator.start({ agent: 'nobody', input: 'x' }), 404, /Unknown agent/],
      [operator.start({ agent: 'guide', input: 7 as never }), 400, /input/],
      [operator.start({ agent: 'guide', input: 'x', sesion: 's' } as never), 400, /sesion/],
      [operator.start({ agent: 'guide', input: 'x', model: 'none' }), 400, /model: 'none' is unknown/],
      [
        operator.start({ agent: 'guide', input: 'x', settings: { temperature: 'hot' } as never }),
        400,
        /settings.temperature/,
      ],
      [operator.start({ agent: 'guide', input: 'x', variables: { a: 1 } }), 400, /variables.a/],
      [operator.fork(runId, { at: end + 1, input: 'x' }), 400, /at: is \d+, the run has the entries 1 to/],
      [operator.fork(runId, {}), 400, /input: is missing/],
      [
        operator.fork(runId, { input: 'x', results: [{ callId: 'no', content: '' }] }),
        400,
        /results.0: names the call 'no'/,
      ],
      [operator.rerun(runId, { times: 11 }), 400, /times/],
      [operator.rerun(runId, { times: 2, sessionId }), 400, /sessionId/],
      [operator.decide('none', { decision: { type: 'approved' } }), 404, /approval/i],
      [operator.decide('none', { decision: { type: 'timed-out' } as never }), 400, /decision/],
      [operator.usage({ by: ['planet' as never] }), 400, /by/],
      [operator.steer(runId, { message: '' }), 400, /message/],
    ]
    for (const [request, status, detail] of refused)
      await expect(request).rejects.toMatchObject(refusal(status, expect.stringMatching(detail)))
    expect(await api.store.runs({ scope: 'team' })).toEqual(before)
  })
})

describe('operating a server', () => {
  it('pending approvals tell who may decide, and a decision continues the run', async () => {
    await using api = await openRunsApi({ script: [{ toolCalls: [{ name: 'pay', input: { sum: 1 } }] }, 'Paid.'] })
    const { runId, sessionId } = await api.operator.start({ agent: 'guide', input: 'go' })
    await untilIdle(api.operator, runId)
    const { approvals } = await api.operator.approvals()
    const item = { runId, sessionId, agent: 'guide', preview: 'go', name: 'pay', input: { sum: 1 }, canDecide: true }
    expect(approvals).toMatchObject([{ ...item, requestedAt: expect.any(Number) }])
    expect((await api.clientOf('viewer').approvals({ runId })).approvals).toMatchObject([{ canDecide: false }])
    const approvalId = approvals[0]?.approvalId ?? ''
    await api.operator.decide(approvalId, { decision: { type: 'escalated', roles: ['lead'], prompt: 'Sure?' } })
    await untilIdle(api.operator, runId)
    const [asked] = (await api.operator.approvals({ role: 'lead' })).approvals
    expect(asked).toMatchObject({ roles: ['lead'], canDecide: true })
    await api.operator.decide(asked?.approvalId ?? '', { decision: { type: 'modified', input: { sum: 2 } } })
    for await (const event of api.operator.events(runId)) if (event.type === 'run.ended') break
    expect((await api.operator.run(runId)).status).toBe('completed')
    expect((await api.store.read(runId)).find(entry => entry.type === 'tool.started')).toMatchObject({
      input: { sum: 2 },
    })
    expect(await api.operator.approvals()).toEqual({ approvals: [] })
  })

  it('usage, workers, agents, tools and health describe the scope and the server', async () => {
    await using api = await openRunsApi({ script: ['One.', { hang: true }] })
    const { runId } = await api.operator.start({ agent: 'guide', input: 'go' })
    await untilIdle(api.operator, runId)
    const hung = await api.operator.start({ agent: 'guide', input: 'go' })
    const { scope, totals } = await api.operator.usage({ by: ['agent', 'model', 'day'] })
    expect([scope, totals]).toMatchObject(['team', [{ agent: 'guide', model: 'scripted/script', runs: 1, calls: 1 }]])
    expect((await api.operator.workers()).workers).toMatchObject([{ runs: 1 }])
    expect((await api.operator.agents()).agents).toMatchObject([
      { name: 'guide', instructions: 'Be kind.', model: 'scripted/script', isWorkflow: false },
      { name: 'helper' },
    ])
    const { tools } = await api.operator.tools()
    expect(tools.find(({ name }) => name === 'pay')).toMatchObject({
      effect: 'once',
      permission: 'ask',
      agents: ['guide'],
    })
    const health = await api.operator.health()
    expect(health).toMatchObject({ alive: true, activeRuns: 1 })
    expect(health.parts).toContainEqual({ kind: 'model', name: 'scripted/script', status: 'unknown' })
    await api.operator.cancel(hung.runId)
  })

  it('dead letters are listed and dropped in their own scope only', async () => {
    await using api = await openRunsApi()
    const event = {
      v: 1,
      type: 'run.resumed',
      worker: 'w',
      seq: 2,
      at: 0,
      runId: 'r',
      sessionId: 's',
      path: [],
    } as const
    const letter = {
      subscriber: 'log',
      event,
      agent: 'guide',
      reason: 'failed',
      detail: 'no',
      attempts: 3,
      failedAt: 1,
    } as const
    for (const scope of ['team', 'other']) await api.store.deadLetters?.put({ ...letter, id: `of-${scope}`, scope })
    const admin = api.clientOf('admin')
    expect((await admin.deadLetters()).deadLetters.map(({ id }) => id)).toEqual(['of-team'])
    await expect(admin.dropDeadLetter('of-other')).rejects.toMatchObject(refusal(404))
    await expect(admin.redriveDeadLetter('of-team')).rejects.toMatchObject(refusal(501))
    expect(await admin.dropDeadLetter('of-team')).toEqual({ dropped: true })
    expect(await admin.deadLetters()).toEqual({ deadLetters: [] })
    expect(await api.store.deadLetters?.count()).toBe(1)
  })

  it('a route whose part the store does not have answers with 501', async () => {
    const { openSqliteStore } = await import('@parley/sqlite')
    const whole = await openSqliteStore({ path: ':memory:' })
    const { reports: _r, deadLetters: _d, prune: _p, ...store } = whole
    await using api = await openRunsApi({ store })
    const admin = api.clientOf('admin')
    const { runId } = await admin.start({ agent: 'guide', input: 'go' })
    await untilIdle(admin, runId)
    for (const asked of [admin.usage(), admin.workers(), admin.deadLetters(), admin.prune(runId)])
      await expect(asked).rejects.toMatchObject(
        refusal(501, expect.stringContaining('The store of this server has no')),
      )
    expect((await admin.info()).store).toMatchObject({ reports: false, deadLetters: false, prune: false })
  })
})
