// `npm run docs`: writes the generated pages of docs/reference, and builds docs/ as a site in site/ that needs no network. The
// generator is marked, which has no dependencies: frameworks such as VitePress bring hundreds of packages, some of them native,
// and build sites that a browser cannot open from a folder.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt, ensureInstalled, root } from './set-up.mjs'

const docs = join(root, 'docs')
/** Copies of the files outside docs/ that pages link to. */
const filesFolder = 'files'

export const readNavigation = () => [{ title: '', pages: ['index.md'] }, ...JSON.parse(readFileSync(join(docs, 'site/pages.json'), 'utf8'))]

/** The pages of docs/, by their paths below it. */
export const pageNames = () =>
  readdirSync(docs, { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort()

export const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const escapeHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const plain = (text) => text.replaceAll(/[`*_]|\[([^\]]*)\]\([^)]*\)/g, '$1')
/** Code in a sentence or a cell: a flag is not broken after its dashes, and a long name is broken after a separator or before a capital letter. */
const renderCode = (code) =>
  escapeHtml(code)
    .replaceAll(code.length > 38 ? /(?<=\w[/_.,=])(?=\w)/g : /(?<=\w[/_,])(?=\w)/g, '<wbr>')
    .replaceAll(/[A-Za-z]{14,}/g, (name) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '<wbr>'))
    .replaceAll(/(?<![\w-])--?[a-z](?:[a-z-]{0,24}(?![\w-])|[a-z]*)/g, '<span class="flag">$&</span>')
const titleOf = (text) => plain(/^# (.+)$/m.exec(text)?.[1] ?? '')

/** Whether the columns of a table have room side by side on a phone. The rows of others are displayed one cell below the other. */
function fitsPhone({ header, rows }) {
  const letterWidth = 8
  const padding = 13
  const widths = header.map((one, column) => {
    const texts = [one, ...rows.map((row) => row[column])].map(({ text }) => plain(text))
    const longest = Math.max(...texts.map((text) => text.length))
    const longestWord = Math.max(...texts.flatMap((text) => text.split(/\s+/)).map((word) => word.length))
    // A text of several lines needs some width to be read.
    return Math.max(longestWord * letterWidth, Math.min(longest * letterWidth, 136)) + padding
  })
  return widths.reduce((sum, width) => sum + width, 0) <= 350
}

/** The output of a page, and its sections for the search. */
async function renderPage(name, text) {
  const { Marked } = await import('marked')
  const sections = [{ title: titleOf(text), anchor: '', text: '' }]
  const slugs = new Map()
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens)
        const words = plain(tokens.map(({ raw }) => raw).join(''))
        const base = slugOf(words)
        const count = slugs.get(base) ?? 0
        slugs.set(base, count + 1)
        const anchor = count === 0 ? base : `${base}-${count}`
        if (depth > 1) sections.push({ title: words, anchor, text: '', depth })
        return depth === 1
          ? `<h1>${html}</h1>\n`
          : `<h${depth} id="${anchor}">${html}<a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h${depth}>\n`
      },
      link({ href, title, tokens }) {
        const target = linkTarget(name, href)
        const attributes = `${title ? ` title="${escapeHtml(title)}"` : ''}${/^https?:/.test(target) ? ' rel="noreferrer"' : ''}`
        return `<a href="${escapeHtml(target)}"${attributes}>${this.parser.parseInline(tokens)}</a>`
      },
      codespan({ text: code }) {
        return `<code${code.length > 38 ? ' class="long"' : ''}>${renderCode(code)}</code>`
      },
      table(token) {
        const classes = token.header.map((one, column) => {
          const isShort = [one, ...token.rows.map((row) => row[column])].every(({ text }) => plain(text).length <= 16)
          return [...(isShort ? ['short'] : []), ...(one.align === 'right' ? ['number'] : [])].join(' ')
        })
        const isStacked = !fitsPhone(token)
        // A browser no longer takes the parts of a table for such when they are displayed as blocks.
        const role = (name) => (isStacked ? ` role="${name}"` : '')
        const cell = ({ tokens }, tag, column) => {
          const label = isStacked && tag === 'td' && column > 0 && token.header.length > 2 ? plain(token.header[column].text) : ''
          const attributes = [
            ...(classes[column] === '' ? [] : [` class="${classes[column]}"`]),
            ...(label === '' ? [] : [` data-label="${escapeHtml(label)}"`]),
            role(tag === 'th' ? 'columnheader' : 'cell'),
          ]
          return `<${tag}${attributes.join('')}>${this.parser.parseInline(tokens)}</${tag}>`
        }
        const row = (cells, tag) => `<tr${role('row')}>${cells.map((one, column) => cell(one, tag, column)).join('')}</tr>`
        const head = token.header.some(({ text }) => text !== '') ? `<thead${role('rowgroup')}>${row(token.header, 'th')}</thead>` : ''
        const rows = token.rows.map((cells) => row(cells, 'td')).join('\n')
        // A header in the first column alone is the title of the table.
        const isTitled = token.header.every(({ text }, column) => (text !== '') === (column === 0))
        const table = `<table${isStacked ? ` class="stacked${isTitled ? ' titled' : ''}"${role('table')}` : ''}>${head}<tbody${role('rowgroup')}>${rows}</tbody></table>`
        return `<div class="wide">${table}</div>\n`
      },
      code({ text: code, lang = '' }) {
        const [language] = lang.split(/\s+/)
        const body = language === 'console' ? renderConsole(code) : escapeHtml(code)
        return `<pre class="${escapeHtml(language || 'text')}"><code>${body}</code></pre>\n`
      },
    },
  })
  const html = marked.parse(text)
  return { html, sections: withTexts(sections, text) }
}

function withTexts(sections, text) {
  const bodies = text.split(/^#{1,6} .+$/m).slice(1)
  return sections.map((section, index) => ({
    ...section,
    text: plain(bodies[index] ?? '')
      .replaceAll(/(?:[|\s]|-{3,})+/g, ' ')
      .trim(),
  }))
}

/** Commands stand out from what they print. */
const renderConsole = (code) =>
  code
    .split('\n')
    .map((line, index, lines) => {
      const isTyped = line.startsWith('$ ') || (index > 0 && lines[index - 1].endsWith('\\'))
      return isTyped ? `<b class="typed">${escapeHtml(line)}</b>` : escapeHtml(line)
    })
    .join('\n')

/** A file of the repository; for a folder, the file that describes it. */
const fileOf = (path) => (statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() ? posix.join(path, 'README.md') : path)

/** A link to a page becomes one to its HTML; one to another file of the repository leads to a copy of it. */
export function linkTarget(page, href) {
  if (/^[a-z]+:|^#/.test(href)) return href
  const [path, anchor] = href.split('#')
  const target = posix.normalize(posix.join(posix.dirname(page), path))
  const suffix = anchor === undefined ? '' : `#${anchor}`
  if (target.startsWith('..'))
    return `${posix.join(posix.relative(posix.dirname(page), '.'), filesFolder, fileOf(target.slice(3)))}${suffix}`
  return `${path.replace(/\.md$/, '.html')}${suffix}`
}

function layout({ name, title, html, sections, navigation, titles }) {
  const up = posix.relative(posix.dirname(name), '.') || '.'
  const href = (page) => `${up}/${page.replace(/\.md$/, '.html')}`
  const menu = navigation
    .map(({ title: group, pages }) => {
      const items = pages.map(
        (page) => `<li><a href="${href(page)}"${page === name ? ' aria-current="page"' : ''}>${escapeHtml(titles.get(page))}</a></li>`,
      )
      return `${group === '' ? '' : `<h2>${group}</h2>`}<ul>${items.join('')}</ul>`
    })
    .join('\n')
  const contents = sections.filter(({ anchor, depth }) => anchor !== '' && depth === 2)
  const all = navigation.flatMap(({ pages }) => pages)
  const at = all.indexOf(name)
  const step = (page, label, rel) =>
    page === undefined ? '<span></span>' : `<a rel="${rel}" href="${href(page)}"><small>${label}</small>${escapeHtml(titles.get(page))}</a>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title === 'Rollcall' ? title : `${title} · Rollcall`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}/site.css">
<script>try { const theme = localStorage.getItem('rollcall-theme'); if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme } catch {}</script>
</head>
<body data-up="${up}">
<a class="skip" href="#site-content">Skip to the content</a>
<header>
<button type="button" class="menu-button" aria-expanded="false" aria-controls="site-menu">Menu</button>
<a class="brand" href="${up}/index.html">Rollcall</a>
<div class="search"><input type="search" id="site-search" placeholder="Search" aria-label="Search the documentation" autocomplete="off"><ol id="site-results" hidden></ol></div>
<button type="button" class="theme-button" aria-label="Change between light and dark">◐</button>
</header>
<div class="frame">
<nav id="site-menu" aria-label="Pages">
${menu}
</nav>
<main id="site-content">
${html}
<div class="steps">${step(all[at - 1], 'Previous', 'prev')}${step(all[at + 1], 'Next', 'next')}</div>
</main>
<aside aria-label="On this page">${contents.length < 2 ? '' : `<h2>On this page</h2><ul>${contents.map(({ title: text, anchor }) => `<li><a href="#${anchor}">${escapeHtml(text)}</a></li>`).join('')}</ul>`}</aside>
</div>
<script src="${up}/search-index.js" defer></script>
<script src="${up}/site.js" defer></script>
</body>
</html>
`
}

/** The site is written to `folder`. */
export async function buildSite(folder) {
  const navigation = readNavigation()
  const listed = navigation.flatMap(({ pages }) => pages)
  const missing = pageNames().filter((name) => !listed.includes(name))
  if (missing.length > 0) throw new Error(`docs/site/pages.json does not list ${missing.join(', ')}`)
  const texts = new Map(listed.map((name) => [name, readFileSync(join(docs, name), 'utf8')]))
  const titles = new Map([...texts].map(([name, text]) => [name, titleOf(text)]))
  rmSync(folder, { recursive: true, force: true })
  const index = []
  for (const [name, text] of texts) {
    const { html, sections } = await renderPage(name, text)
    const path = join(folder, name.replace(/\.md$/, '.html'))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, layout({ name, title: titles.get(name), html, sections, navigation, titles }))
    for (const { title, anchor, text: words } of sections)
      index.push({
        page: titles.get(name),
        title,
        href: `${name.replace(/\.md$/, '.html')}${anchor === '' ? '' : `#${anchor}`}`,
        text: words.slice(0, 2000),
      })
  }
  for (const [name, text] of texts)
    for (const [, href] of text.matchAll(/\]\((\.\.[^)\s#]+)/g)) {
      const target = posix.normalize(posix.join(posix.dirname(name), href))
      if (!target.startsWith('..')) continue
      const file = fileOf(target.slice(3))
      mkdirSync(dirname(join(folder, filesFolder, file)), { recursive: true })
      cpSync(join(root, file), join(folder, filesFolder, file))
    }
  cpSync(join(docs, 'pictures'), join(folder, 'pictures'), { recursive: true })
  writeFileSync(join(folder, 'search-index.js'), `globalThis.rollcallSearch = ${JSON.stringify(index)}\n`)
  const colours = readFileSync(join(root, 'src/simulate/report/page/colours.css'), 'utf8')
  writeFileSync(join(folder, 'site.css'), `${colours}${readFileSync(join(docs, 'site/site.css'), 'utf8')}`)
  const { build } = await import('esbuild')
  await build({
    entryPoints: [join(docs, 'site/site.js')],
    outfile: join(folder, 'site.js'),
    bundle: true,
    format: 'iife',
    target: 'es2022',
  })
  return listed.length
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensureInstalled()
  await ensureBuilt()
  const { writeReference } = await import('./reference-pages.mjs')
  await writeReference()
  const folder = join(root, 'site')
  const count = await buildSite(folder)
  console.log(`Wrote ${count} pages. Open ${relative(process.cwd(), join(folder, 'index.html'))} in a browser.`)
}
