import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { htmlToMarkdown } from './html-to-markdown.ts'

const convert = (html: string): string => htmlToMarkdown(html, 'https://site.test/dir/page').markdown

describe('htmlToMarkdown', () => {
  it.each([
    ['<h1>A  b</h1><p>One\n two</p><h3>C</h3>text', '# A b\n\nOne two\n\n### C\n\ntext'],
    ['a<br>b<br/>c', 'a\nb\nc'],
    ['<p>a <b>bold</b> and <i>slanted </i>end</p>', 'a **bold** and _slanted_ end'],
    ['<a href="../x?q=(1)">link <b>b</b></a>', '[link **b**](https://site.test/x?q=%281%29)'],
    ['<a href="javascript:alert(1)">js</a> <a href="#top">top</a> <a>none</a>', 'js top none'],
    ['<a href="/a"><h2>Block</h2><p>inside</p></a>', '[Block inside](https://site.test/a)'],
    ['<base href="https://other.test/"><a href="x">y</a>', '[y](https://other.test/x)'],
    [
      '<img src="a.png" alt="A cat"><img src="b.png"><img alt="x" src="data:a">',
      '![A cat](https://site.test/dir/a.png)[image: x]',
    ],
    ['<ul><li>a<li>b<ul><li>c</ul><li>d</ul>', '- a\n- b\n  - c\n- d'],
    ['<ol><li><p>a</p><p>more</p></li><li>b</li></ol>after', '1. a\n\n  more\n\n2. b\n\nafter'],
    ['<blockquote>a<blockquote>b</blockquote></blockquote>c', '> a\n\n> > b\n\nc'],
    ['<pre>\n<b>let</b> a\n  = 1;\n</pre>x', '```\nlet a\n  = 1;\n```\n\nx'],
    ['<pre>```</pre>', '````\n```\n````'],
    ['use <code>npm i</code> now', 'use `npm i` now'],
    [
      '<table><caption>T</caption><tr><th>a<th>b|c</tr><tr><td><p>1</p><p>2</p></td><td>3</td></tr></table>z',
      'T\n\n| a | b\\|c |\n| --- | --- |\n| 1 2 | 3 |\n\nz',
    ],
    ['a<script>x<b>y</script>b<style>p{}</style><noscript>n</noscript><svg><text>t</text></svg>c', 'abc'],
    [
      '<div hidden>no<div>no</div></div>yes<p style="color:red; display : none">no</p><i aria-hidden="true">no</i>',
      'yes',
    ],
    ['<input hidden>seen', 'seen'],
    ['&lt;b&gt; &amp;nbsp;&nbsp;&eacute;', '<b> &nbsp; é'],
    ['a<hr>b', 'a\n\n---\n\nb'],
    ['<!-- no --><![CDATA[x]]>text', 'text'],
    ['', ''],
    ['<p>', ''],
    ['<b></b><i> </i>x', 'x'],
    ['</li></ul></b></a></td></tr></table></blockquote>x', 'x'],
  ])('htmlToMarkdown converts %s to %j', (html, markdown) => {
    expect(convert(html)).toBe(markdown)
  })

  it('htmlToMarkdown returns the title on one line', () => {
    const page = htmlToMarkdown(
      '<html><head><title>A\n &amp; B</title></head><body><title>no</title>x',
      'https://a.test',
    )
    expect(page).toEqual({ title: 'A & B', markdown: expect.stringContaining('x') })
  })

  it('htmlToMarkdown accepts any text without failing', () => {
    const tag = fc.constantFrom(
      'p',
      'a href=x',
      'b',
      'ul',
      'ol',
      'li',
      'table',
      'tr',
      'td',
      'pre',
      'blockquote',
      'code',
      'h1',
    )
    const piece = fc.oneof(
      fc.string(),
      tag.map(name => `<${name}>`),
      tag.map(name => `</${name.split(' ')[0]}>`),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), pieces => {
        const words = convert(`${pieces.join('')}<p>needle</p>`)
        expect(typeof words).toBe('string')
      }),
    )
  })

  const nested = (open: string, close: string, count: number): string => open.repeat(count) + close.repeat(count)
  it.each([
    ['nested divs', nested('<div>', '</div>', 50_000)],
    ['nested bold', nested('<b>a', '</b>', 50_000)],
    ['nested links', nested('<a href="x">a', '</a>', 50_000)],
    ['nested lists', nested('<ul><li>a', '</ul>', 25_000)],
    ['nested quotations', nested('<blockquote>a', '</blockquote>', 37_500)],
    ['nested tables', nested('<table><tr><td>a', '</table>', 25_000)],
    ['nested scripts', nested('<script>', '', 100_000)],
    ['links that are never closed', '<a href="https://x.test/y">word '.repeat(37_500)],
    ['paragraphs', '<p>word word word</p>'.repeat(62_500)],
    ['white space', `a${' '.repeat(1_250_000)}b`],
    ['open brackets', '<'.repeat(1_250_000)],
    ['open attributes', '<a '.repeat(400_000)],
    ['attributes', `<a ${'b="c" '.repeat(200_000)}>`],
    ['entities', '&amp;'.repeat(250_000)],
    ['comments', '<!--'.repeat(300_000)],
    ['styles', '<p style="display:'.repeat(50_000)],
    ['backticks', `<pre>${'`'.repeat(1_000_000)}</pre>`],
  ])('htmlToMarkdown converts more than a megabyte of %s to text of bounded length', (_, html) => {
    expect(convert(html).length).toBeLessThan(6 * html.length + 250)
  })
})
