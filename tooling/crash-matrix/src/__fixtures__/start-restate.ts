import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRestateServer, MISSING } from './find-restate-server.ts'
import { freePort } from '@parley-tooling/test-run/free-port'

export interface RestateServer extends AsyncDisposable {
  readonly ingress: string
  /** Address of the admin API. */
  readonly admin: string
  /** Registers the address of the workers. */
  register(url: string): Promise<void>
  /** Cancels the invocation of a run through the admin API, as an operator does. */
  cancelRun(runId: string): Promise<void>
  /** Returns the names of the recorded operations of a run, in order. */
  operations(runId: string): Promise<readonly string[]>
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>
  /** Starts the server again on the same data. */
  restart(): Promise<void>
}

/** Starts a real server with its own data and ports. Disposing it stops the server and deletes the data. */
export async function startRestate(): Promise<RestateServer> {
  const program = findRestateServer()
  if (program === undefined) throw new Error(MISSING)
  const folder = await mkdtemp(join(tmpdir(), 'parley-restate-'))
  const [ingressPort, adminPort, nodePort] = await Promise.all([freePort(), freePort(), freePort()])
  const ingress = `http://127.0.0.1:${ingressPort}`
  const admin = `http://127.0.0.1:${adminPort}`
  const environment = {
    RESTATE_DISABLE_TELEMETRY: 'true',
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingressPort}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${adminPort}`,
    RESTATE_BIND_ADDRESS: `127.0.0.1:${nodePort}`,
    RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '256MB',
    RESTATE_DEFAULT_NUM_PARTITIONS: '4',
    RESTATE_LOG_FILTER: 'error',
  }
  let server: ChildProcess | undefined
  async function start(): Promise<void> {
    const child = spawn(program ?? '', ['--base-dir', folder], {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: 'ignore',
    })
    server = child
    for (const url of [`${admin}/health`, `${ingress}/restate/health`]) await untilHealthy(url, child)
  }
  async function kill(): Promise<void> {
    const child = server
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await start()
  return {
    ingress,
    admin,
    register: async uri => {
      await request(`${admin}/deployments`, { uri })
    },
    cancelRun: async runId => {
      const query = `select id from sys_invocation where target_service_name = 'parley-run'
        and target_service_key = '${runId}' and target_handler_name = 'run'`
      const { rows } = await request<{ rows: { id: string }[] }>(`${admin}/query`, { query })
      for (const { id } of rows) await answered(await fetch(`${admin}/invocations/${id}/cancel`, { method: 'PATCH' }))
    },
    operations: async runId => {
      const query = `select j.name, j.entry_type from sys_journal j join sys_invocation i on i.id = j.id
        where i.target_service_name = 'parley-run' and i.target_service_key = '${runId}'
        and i.target_handler_name = 'run' and j.entry_type = 'Command: Run' order by j.index`
      const { rows } = await request<{ rows: { name: string }[] }>(`${admin}/query`, { query })
      return rows.map(({ name }) => name)
    },
    kill,
    restart: start,
    [Symbol.asyncDispose]: async () => {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilHealthy(url: string, { pid }: ChildProcess): Promise<void> {
  for (let attempts = 0; attempts < 600; attempts++) {
    const healthy = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (healthy) return
    await sleep(50)
  }
  throw new Error(`the Restate server, process ${pid}, did not become healthy at ${url}`)
}

async function request<TAnswer>(url: string, body: unknown): Promise<TAnswer> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await (await answered(response)).json()) as TAnswer
}

async function answered(response: Response): Promise<Response> {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`)
  return response
}
