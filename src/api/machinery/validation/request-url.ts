// URLs, as strictly as Go's url.ParseRequestURI reads them.
// Ours: Go has this parser in its standard library.

export interface Url {
  readonly text: string
  readonly scheme: string
  readonly host: string
  readonly path: string
  readonly query: string
}

/** What is wrong with it, in Go's words; undefined for a URL or an absolute path. */
export function urlProblem(text: string): string | undefined {
  const result = readUrl(text)
  return typeof result === 'string' ? result : undefined
}

/** The URL, or why it is invalid. */
export function readUrl(text: string): Url | string {
  const wrong = (why: string) => `parse ${JSON.stringify(text)}: ${why}`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses them.
  if (/[\u0000-\u001f\u007f]/.test(text)) return wrong('net/url: invalid control character in URL')
  if (text === '') return wrong('empty url')
  if (text === '*') return { text, scheme: '', host: '', path: '*', query: '' }
  const colon = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)
  if (text.startsWith(':')) return wrong('missing protocol scheme')
  const scheme = colon?.[1]?.toLowerCase() ?? ''
  const afterScheme = colon === null ? text : text.slice(colon[0].length)
  const withoutFragment = afterScheme.split('#')[0]!
  const mark = withoutFragment.indexOf('?')
  const query = mark < 0 ? '' : withoutFragment.slice(mark + 1)
  let rest = mark < 0 ? withoutFragment : withoutFragment.slice(0, mark)
  if (!rest.startsWith('/')) return scheme === '' ? wrong('invalid URI for request') : { text, scheme, host: '', path: rest, query }
  let host = ''
  if (rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))) {
    const slash = rest.indexOf('/', 2)
    const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash)
    rest = slash < 0 ? '' : rest.slice(slash)
    host = authority.slice(authority.lastIndexOf('@') + 1)
    const why = hostProblem(host)
    if (why !== undefined) return wrong(why)
  }
  const bad = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(rest)
  if (bad !== null) return wrong(`invalid URL escape ${JSON.stringify(bad[0])}`)
  return { text, scheme, host, path: rest, query }
}

function hostProblem(host: string): string | undefined {
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']')
    if (end < 0) return "missing ']' in host"
    return portProblem(host.slice(end + 1))
  }
  const colon = host.lastIndexOf(':')
  const bad = /[ "<>\\^`{|}]/.exec(host)
  if (bad !== null) return `invalid character ${JSON.stringify(bad[0])} in host name`
  return colon < 0 ? undefined : portProblem(host.slice(colon))
}

const portProblem = (port: string) =>
  port === '' || /^:[0-9]*$/.test(port) ? undefined : `invalid port ${JSON.stringify(port)} after host`
