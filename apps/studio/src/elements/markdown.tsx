import { lazy, Suspense } from 'react'

const Rendered = lazy(async () => {
  const [{ default: Markdown }, { default: gfm }] = await Promise.all([import('react-markdown'), import('remark-gfm')])
  return {
    default: ({ text }: { readonly text: string }) => (
      <Markdown remarkPlugins={[gfm]} components={COMPONENTS}>
        {text}
      </Markdown>
    ),
  }
})

/** Text of a model as Markdown. HTML in it is shown as text, and pictures of other servers are shown as links: nothing is fetched. */
export function MarkdownText({ text }: { readonly text: string }) {
  return (
    <div className="prose">
      <Suspense fallback={<p className="plain-text">{text}</p>}>
        <Rendered text={text} />
      </Suspense>
    </div>
  )
}

/** The headings of a text stand below those of the page. */
const COMPONENTS = { a: Address, img: Picture, h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6', h6: 'h6' } as const

function Address({ href, children }: { readonly href?: string | undefined; readonly children?: React.ReactNode }) {
  if (href === undefined || !/^https?:|^mailto:/i.test(href)) return <span>{children}</span>
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  )
}

function Picture({ src, alt }: { readonly src?: string | Blob | undefined; readonly alt?: string | undefined }) {
  const name = alt === undefined || alt === '' ? 'picture' : alt
  return typeof src === 'string' ? <Address href={src}>{`[${name}]`}</Address> : <span>{`[${name}]`}</span>
}
