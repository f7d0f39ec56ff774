import { ParleyError } from '@parley/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderSegments } from './render-segments.ts'
import { renderTemplate } from './render-template.ts'

const jinja = (template: string, inputs: Record<string, unknown> = {}): string =>
  renderTemplate({ template, inputs }).text
const mustache = (template: string, inputs: Record<string, unknown> = {}): string =>
  renderTemplate({ template, engine: 'mustache', inputs }).text

describe('jinja', () => {
  it.each([
    ['{{ a.b }}{{ a["c"] }}{{ l[0] }}{{ l[-1] }}', '12xz'],
    ['{% if a.b == 1 and not n %}yes{% elif true %}no{% endif %}', 'yes'],
    ['{% if "x" in l and "q" not in l %}in{% endif %}', 'in'],
    [
      '{% for i in l %}{{ loop.index }}/{{ loop.length }}{{ i }}{% if not loop.last %},{% endif %}{% endfor %}',
      '1/3x,2/3y,3/3z',
    ],
    ['{% for i in none %}x{% else %}empty{% endfor %}', 'empty'],
    ['{% for k in a %}{{ k }}{% endfor %}', 'bc'],
    ['{{ " a " | trim | upper }}|{{ l | length }}|{{ l | join("-") }}', 'A|3|x-y-z'],
    ['{{ missing | default("d") }}{{ e | default("d") }}{{ e | default("d", true) }}', 'dd'],
    ['{{ 1.0 }}{{ true }}{{ none }}{{ missing }}{{ missing.deeper.still }}', '1true'],
    ['a {{- " b " -}} c {# gone #} d', 'a b c  d'],
    ['  {% if true %}\n  x\n{% endif %}\n', '  \n  x\n\n'],
    ['{% raw %}{{ not }} {% this %}{% endraw %}!', '{{ not }} {% this %}!'],
    ['{{ "yes" if a.b > 0 else "no" }}', 'yes'],
    ['{{ missing is defined }}{{ a is defined }}', 'falsetrue'],
    ['{{ 1 < 2 <= 2 }}{{ "\\n\\"" }}', 'true\n"'],
    ["{ {} }} %} #} '", "{ {} }} %} #} '"],
  ])('jinja renders %s', (template, expected) => {
    expect(jinja(template, { a: { b: 1, c: 2 }, l: ['x', 'y', 'z'], n: 0, e: '' })).toBe(expected)
  })

  it.each([
    ['x\n{{ a | nope }}', /^template line 2: 'nope': is an unknown filter/],
    ['{{ a( }}', /cannot call functions/],
    ['{{ a.b() }}', /cannot call functions/],
    ['{{ 1 + 2 }}', /'\+' is not allowed/],
    ['{{ a', /not closed by '}}'/],
    ['{% if a %}', /'if' is not closed/],
    ['{% endfor %}', /closes no open tag/],
    ['{% include "x" %}', /the tag 'include' is unknown/],
    ['{{ a < "x" }}', /cannot be ordered/],
    ['{{ }}', /an expression is missing/],
  ])('jinja reports the error in %s', (template, expected) => {
    expect(() => jinja(template, { a: 1 })).toThrow(expected)
  })

  it('a template reads no prototype and calls no method of a value', () => {
    const value = {
      toString: () => 'called',
      toJSON: () => 'called',
      get secret() {
        return 'called'
      },
      own: 1,
    }
    expect(
      jinja(
        '{{ v.constructor }}{{ v.__proto__ }}{{ v.toString }}{{ v.secret }}{{ s.length }}{{ s.constructor.name }}',
        { v: value, s: 'ab' },
      ),
    ).toBe('2')
    expect(jinja('{{ v }}{{ constructor }}{{ __proto__ }}', { v: value })).toBe('{"own":1}')
  })

  it('a value is not rendered as a template', () => {
    expect(jinja('{{ q }}', { q: '{{ secret }}{% raw %}' })).toBe('{{ secret }}{% raw %}')
  })
})

describe('mustache', () => {
  it.each([
    ['{{a}}{{{a}}}{{&a}}', '<b>&<b>&<b>&'],
    ['{{#l}}{{.}},{{/l}}{{^none}}none{{/none}}', 'x,y,none'],
    ['{{#o}}{{p}}{{a}}{{/o}}', '1<b>&'],
    ['{{o.p}}{{o.q.r}}{{missing}}', '1'],
    ['a\n{{#o}}\n  b\n{{/o}}\nc', 'a\n  b\nc'],
    ['{{! no }}{{=<% %>=}}<%a%>{{a}}', '<b>&{{a}}'],
    ['{{o.constructor}}{{constructor}}', ''],
  ])('mustache renders %s', (template, expected) => {
    expect(mustache(template, { a: '<b>&', l: ['x', 'y'], o: { p: 1 } })).toBe(expected)
  })

  it.each([
    ['{{> other}}', /cannot include/],
    ['{{#a}}', /'a' is not closed/],
    ['{{/a}}', /closes no open section/],
    ['x\n{{a', /^template line 2/],
  ])('mustache reports the error in %s', (template, expected) => {
    expect(() => mustache(template)).toThrow(expected)
  })
})

describe('segments', () => {
  it('segments separate template text from values and name the input of each value, also in loops', () => {
    const template = 'A {{ q }}{% for i in items %}[{{ i.n }}]{% endfor %}{{ empty }}Z'
    expect(renderSegments({ template, inputs: { q: 'v', items: [{ n: 1 }, { n: 2 }], empty: '' } })).toEqual([
      { kind: 'literal', text: 'A ', source: null, strict: false },
      { kind: 'interp', text: 'v', source: 'q', strict: false },
      { kind: 'literal', text: '[', source: null, strict: false },
      { kind: 'interp', text: '1', source: 'items', strict: false },
      { kind: 'literal', text: '][', source: null, strict: false },
      { kind: 'interp', text: '2', source: 'items', strict: false },
      { kind: 'literal', text: ']Z', source: null, strict: false },
    ])
  })

  it('a strict value with a line like a role marker is rejected, also after a filter', () => {
    const render =
      (q: string, template = '{{ q }}') =>
      () =>
        renderSegments({ template, inputs: { q }, strictProps: ['q'] })
    for (const q of ['system: x', 'a\n  User:\n', '# assistant:', 'x\r\ndeveloper :', 'user[a=1]:'])
      expect(render(q)).toThrow('strict violation')
    expect(render('SYSTEM: x', '{{ q | lower }}')).toThrow('strict violation')
    expect(render('the system: fine\nusers: fine')).not.toThrow()
  })
})

describe('bounds', () => {
  const length = 200_000
  it.each(['{{ ((((', '{{ a[b=', '{{ not ', '{% if a %}', '{{#a}}', '{{ a', "{{ '", '{# ', '{{ [', '{{ a|upper'])(
    'a template that repeats %s renders or fails within bounded time',
    piece => {
      for (const engine of ['jinja2', 'mustache']) {
        const text = piece.slice(0, 3) + piece.slice(3).repeat(length)
        try {
          renderSegments({ template: text, engine, inputs: { a: 'x' } })
        } catch (error) {
          expect(ParleyError.is(error, 'config-invalid')).toBe(true)
        }
      }
    },
  )

  it('a template that takes too many steps is stopped', () => {
    const template = '{% for a in l %}'.repeat(60) + 'x' + '{% endfor %}'.repeat(60)
    expect(() => jinja(template, { l: [1, 2, 3, 4] })).toThrow('steps. Loop over less.')
  })
})

it('renderTemplate returns a result or a typed error for any template', () => {
  const pieces = fc.constantFrom(
    '{{',
    '}}',
    '{%',
    '%}',
    '{#',
    '#}',
    ' if ',
    ' for ',
    ' in ',
    ' a',
    '.',
    '[',
    ']',
    '(',
    ')',
    '|',
    'upper',
    'endif',
    'endfor',
    "'",
    '-',
    '==',
    '#',
    '/',
    '^',
    '>',
    '=',
    '1',
    '\n',
    'raw',
    'endraw',
    'not',
    '__proto__',
    'constructor',
  )
  fc.assert(
    fc.property(
      fc.array(fc.oneof(pieces, fc.string()), { maxLength: 40 }),
      fc.constantFrom('jinja2', 'mustache'),
      (parts, engine) => {
        try {
          const { text } = renderTemplate({ template: parts.join(''), engine, inputs: { a: { b: ['x'] } } })
          expect(text).not.toContain('[native code]')
        } catch (error) {
          expect(ParleyError.is(error, 'config-invalid')).toBe(true)
        }
      },
    ),
    { numRuns: 2000 },
  )
})
