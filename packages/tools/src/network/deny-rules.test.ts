import { ParleyError } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { addressForms } from './embedded-addresses.ts'
import { createNetworkGuard, type NetworkGuardOptions } from './create-network-guard.ts'
import type { HostLookup } from './network-guard.ts'

/** Returns the error code that a guard gives for a URL, with the addresses that its name resolves to. `none` if it may be fetched. */
async function codeOf(url: string, options: NetworkGuardOptions, addresses: readonly string[] = ['93.184.216.34']) {
  const lookup: HostLookup = async () => addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
  const guard = createNetworkGuard({ lookup, ...options })
  try {
    await guard.resolve(guard.check(url))
    return 'none'
  } catch (error) {
    return ParleyError.is(error) ? error.code : 'other'
  }
}

/** Every way to write 93.184.216.34 (5db8:d822) as the host of a URL. */
const SPELLINGS = [
  '93.184.216.34', '1572395042', '0x5db8d822', '0135.0270.0330.042', '93.184.55330', '93.12113954', '0x5d.0xb8.0xd8.0x22', '93.184.216.34.',
  '[::ffff:93.184.216.34]', '[::ffff:5db8:d822]', '[0:0:0:0:0:ffff:5db8:d822]', '[::FFFF:5DB8:D822]', '[0000:0000::ffff:93.184.216.34]',
  '[64:ff9b::93.184.216.34]', '[64:ff9b::5db8:d822]', '[64:FF9B:0:0:0:0:5DB8:D822]', '[0064:ff9b::5db8:d822]', '[64:ff9b:1::5db8:d822]', '[64:ff9b:1:5db8:d8:2200::]',
  '[2002:5db8:d822::]', '[2002:5db8:d822::1]', '[2001:0:5db8:d822::]', '[2001:0:1:2:3:4:a247:27dd]', '[::5db8:d822]', '[::ffff:0:5db8:d822]',
  '[2606:4700::5efe:5db8:d822]', '[2606:4700::200:5efe:5db8:d822]', '９３.184.216.34', '93。184。216。34', '%39%33.184.216.34',
] // oxfmt-ignore
const RULES = [
  '93.184.216.34', '93.184.216.34:80', '93.184.216.34:443', '93.184.216.34:9', '93.184.216.0/24', '93.0.0.0/8', '0x5db8d822', '::ffff:93.184.216.34', '[::ffff:5db8:d822]',
  '[::ffff:5db8:d822]:443', '::ffff:93.184.216.0/120', '64:ff9b::5db8:d822', '64:ff9b::5db8:0/112', '[64:ff9b::93.184.216.34]:8080',
] // oxfmt-ignore
const PLACES = ['http://HOST/', 'https://HOST/', 'http://HOST:8080/', 'https://HOST:80/']

describe('a rule that denies an address', () => {
  it('the table holds more than 1,500 spellings, rules and places', () => {
    expect(SPELLINGS.length * RULES.length * PLACES.length).toBeGreaterThan(1_500)
  })

  it.each(RULES)('the rule %s holds for every spelling of the address, on every port and scheme', async rule => {
    for (const spelling of SPELLINGS) {
      for (const place of PLACES) {
        const url = place.replace('HOST', spelling)
        // An allowed network shows that the rule itself refuses, and not the range of the address.
        const code = await codeOf(url, { deny: [rule], allow: ['::/0', '0.0.0.0/0'] })
        expect([rule, url, code]).toEqual([rule, url, 'url-refused'])
      }
    }
  })

  it.each(RULES)('the rule %s holds for a name that resolves to any form of the address', async rule => {
    for (const spelling of SPELLINGS.filter(one => one.startsWith('[') || one === '93.184.216.34')) {
      const address = spelling.replace(/^\[|\]$/g, '')
      const code = await codeOf('https://named.test/', { deny: [rule], allow: ['named.test'] }, ['8.8.8.8', address])
      expect([rule, address, code]).toEqual([rule, address, 'url-refused'])
    }
  })

  it.each(['93.184.216.35', '[::ffff:93.184.217.34]', '[64:ff9b::5db8:d823]', '[2606:4700::1]'])(
    'a rule that denies another address does not hold for %s',
    async host => expect(await codeOf(`https://${host}/`, { deny: ['93.184.216.34'] })).toBe('none'),
  )
})

describe('a rule that denies a name', () => {
  const NAMES = [
    'tracker.test', 'TRACKER.test', 'tracker.test.', 'a.tracker.test', 'a.b.tracker.test', 'tRacker.TEST', 'ｔracker.test', 'tracker。test', 'tracker%2Etest', 'trac\u00ADker.test',
  ] // oxfmt-ignore
  const DENIALS = [
    'tracker.test',
    'TRACKER.test',
    'tracker.test.',
    'tracker.test:80',
    'tracker.test:443',
    'tracker.test:8443',
  ]

  it.each(DENIALS)('the rule %s holds for the name and its subdomains, on every port and scheme', async rule => {
    for (const name of NAMES) {
      for (const place of [...PLACES, 'http://HOST:8443/x?y', 'https://HOST:65535/']) {
        const url = place.replace('HOST', name)
        expect([rule, url, await codeOf(url, { deny: [rule] })]).toEqual([rule, url, 'url-refused'])
        expect(await codeOf(url, { deny: [rule], allow: [rule, 'tracker.test'] })).toBe('url-refused')
      }
    }
  })

  it.each(['nottracker.test', 'tracker.test.example', 'tracker.tests', 'tracker'])(
    'a rule that denies tracker.test does not hold for %s',
    async name => expect(await codeOf(`https://${name}/`, { deny: ['tracker.test'] })).toBe('none'),
  )

  it('a rule with a wildcard is rejected, because it would never match', () => {
    expect(() => createNetworkGuard({ deny: ['*.tracker.test'] })).toThrow('deny.0')
  })
})

it('a rule that allows an address holds only for the form and the port that it names', async () => {
  expect(await codeOf('http://10.1.2.3/', { allow: ['10.1.2.3'] })).toBe('none')
  expect(await codeOf('http://[::ffff:10.1.2.3]/', { allow: ['10.1.2.3'] })).toBe('url-refused')
  expect(await codeOf('http://10.1.2.3:81/', { allow: ['10.1.2.3:80'] })).toBe('url-refused')
})

/** Private and special addresses, each as a plain address and in every form that leads to it. */
const PRIVATE = ['127.0.0.1', '127.8.8.8', '10.0.0.1', '172.16.0.1', '172.31.255.254', '192.168.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '192.0.0.192', '198.18.0.1', '224.0.0.1', '255.255.255.255', '168.63.129.16'] // oxfmt-ignore

function formsOf(address: string): readonly string[] {
  const bytes = address.split('.').map(Number)
  const [a = 0, b = 0, c = 0, d = 0] = bytes
  const number = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  const hex = number.toString(16).padStart(8, '0')
  const [high, low] = [hex.slice(0, 4), hex.slice(4)]
  return [
    address, `${number}`, `0x${hex}`, `0X${hex.toUpperCase()}`, `0${number.toString(8)}`, bytes.map(byte => `0${byte.toString(8)}`).join('.'), bytes.map(byte => `0x${byte.toString(16)}`).join('.'),
    `${a}.${b}.${c * 256 + d}`, `${a}.${(b << 16) | (c << 8) | d}`, `${address}.`, `[::ffff:${address}]`, `[::ffff:${high}:${low}]`, `[0:0:0:0:0:FFFF:${high}:${low}]`,
    `[64:ff9b::${address}]`, `[64:ff9b::${high}:${low}]`, `[64:ff9b:1::${high}:${low}]`, `[2002:${high}:${low}::1]`, `[2001:0:${high}:${low}::1]`, `[::${high}:${low}]`, `[::ffff:0:${high}:${low}]`,
    address.replaceAll('.', '。'), address.replace(/\d/, digit => String.fromCodePoint(0xff10 + Number(digit))), address.replace(/\d/, digit => `%3${digit}`),
  ] // oxfmt-ignore
}

it('a guard refuses more than 600 spellings of private addresses, as a host and as the answer of a lookup', async () => {
  const attempts = PRIVATE.flatMap(address =>
    formsOf(address).flatMap(form => [`http://${form}/`, `https://${form}:8080/x`]),
  )
  expect(new Set(attempts).size).toBeGreaterThan(600)
  for (const url of attempts) expect([url, await codeOf(url, {})]).toEqual([url, 'url-refused'])
  for (const address of PRIVATE) {
    for (const form of formsOf(address).filter(one => one.startsWith('['))) {
      const answer = form.slice(1, -1)
      expect([answer, await codeOf('http://named.test/', {}, [answer])]).toEqual([answer, 'url-refused'])
    }
  }
})

it('addressForms lists an address and the IPv4 addresses that it embeds', () => {
  expect(addressForms('192.0.2.1')).toEqual(['192.0.2.1'])
  expect(addressForms('::ffff:192.0.2.1')).toEqual(['::ffff:192.0.2.1', '192.0.2.1'])
  expect(addressForms('2002:c000:201::1')).toEqual(['2002:c000:201::1', '192.0.2.1'])
  expect(addressForms('fe80::1%eth0')).toEqual(['fe80::1'])
  expect(addressForms('2606:4700::1')).toEqual(['2606:4700::1'])
})
