import { ParleyError } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { createServers } from './create-servers.ts'

describe('the servers of an address', () => {
  it('createServers returns one URL per host with the rest of the address', () => {
    const servers = createServers('postgres://me:p%2Cw@one:5433,two,[::1]:5434/runs?sslmode=require')
    const urls = Array.from({ length: servers.count }, () => {
      const url = servers.url()
      servers.leave(url)
      return url
    })
    expect(urls).toEqual([
      'postgres://me:p%2Cw@one:5433/runs?sslmode=require',
      'postgres://me:p%2Cw@two/runs?sslmode=require',
      'postgres://me:p%2Cw@[::1]:5434/runs?sslmode=require',
    ])
    expect(servers.url()).toBe(urls[0])
    expect(servers.name).toBe('one:5433,two:5432,[::1]:5434/runs')
  })

  it('servers move on once when several calls leave the same server', () => {
    const servers = createServers('postgres://one,two,three/runs')
    const gone = servers.url()
    for (let calls = 0; calls < 5; calls++) servers.leave(gone)
    expect(servers.url()).toBe('postgres://two/runs')
  })

  it('createServers accepts an address with one host, with and without a host name', () => {
    const one = createServers('postgres://me@localhost:5433/runs')
    one.leave(one.url())
    expect(one.url()).toBe('postgres://me@localhost:5433/runs')
    expect(createServers('postgres:///runs?host=/tmp').name).toBe('/tmp:5432/runs')
    expect(createServers('postgres:///runs').name).toBe('localhost:5432/runs')
  })

  it.each(['me:hidden@host', 'mysql://me:hidden@one/runs', 'postgres://me:hidden@one:port,two/runs', ''])(
    'createServers rejects the invalid address %s without its password in the error',
    address => {
      const refused = (): unknown => createServers(address)
      expect(refused).toThrow(ParleyError)
      expect(refused).toThrow('postgres://user:password@host:port/database')
      expect(refused).not.toThrow('hidden')
    },
  )
})
