// HTML that passes through the proxy.
// Kubernetes: k8s.io/apimachinery/pkg/util/proxy.Transport.*

/** Attributes that contain a URL, by element, as in Kubernetes. */
const linkAttributes: ReadonlyMap<string, readonly string[]> = new Map([
  ['a', ['href']],
  ['applet', ['codebase']],
  ['area', ['href']],
  ['audio', ['src']],
  ['base', ['href']],
  ['blockquote', ['cite']],
  ['body', ['background']],
  ['button', ['formaction']],
  ['command', ['icon']],
  ['del', ['cite']],
  ['embed', ['src']],
  ['form', ['action']],
  ['frame', ['longdesc', 'src']],
  ['head', ['profile']],
  ['html', ['manifest']],
  ['iframe', ['longdesc', 'src']],
  ['img', ['longdesc', 'src', 'usemap']],
  ['input', ['src', 'usemap', 'formaction']],
  ['ins', ['cite']],
  ['link', ['href']],
  ['object', ['classid', 'codebase', 'data', 'usemap']],
  ['q', ['cite']],
  ['script', ['src']],
  ['source', ['src']],
  ['video', ['poster', 'src']],
])

const startTag = /<([a-z][a-z0-9]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/iy
const attribute = /(?<=[\s"'/])([^\s"'>/=]+)(\s*=\s*["']?)([^\s"'>]*)/g

/** Puts the path of the proxy before absolute paths in links. Links to other hosts, and links that have it already, stay as they are. */
export function rewriteLinks(html: string, prefix: string): string {
  let rewritten = ''
  let done = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    if (!/[a-z]/i.test(html[at + 1] ?? '')) continue
    startTag.lastIndex = at
    const found = startTag.exec(html)
    // A tag that is not closed extends to the end.
    if (found === null) break
    const [tag, element = '', attributes = ''] = found
    const names = linkAttributes.get(element.toLowerCase())
    if (names !== undefined)
      rewritten += `${html.slice(done, at)}<${element}${attributes.replace(attribute, (all, name: string, equals: string, url: string) =>
        names.includes(name.toLowerCase()) && isAbsolutePath(url) && !url.startsWith(prefix) ? `${name}${equals}${prefix}${url}` : all,
      )}>`
    else rewritten += html.slice(done, at) + tag
    done = at + tag.length
    at = done - 1
  }
  return rewritten + html.slice(done)
}

const isAbsolutePath = (url: string) => url.startsWith('/') && !url.startsWith('//')
