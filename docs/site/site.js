// The script of the documentation: search, theme, menu, and buttons that copy commands. It is bundled, and loads nothing.
import { closestName } from '../../src/base/closest-name.ts'

const up = document.body.dataset.up
const input = document.getElementById('site-search')
const results = document.getElementById('site-results')

const sections = globalThis.rollcallSearch ?? []

/** The words of the pages. The last one that is typed may be incomplete: it is not taken for a misspelt one while a word begins with it. */
let known
const corrected = (word) => {
  known ??= new Set(
    sections.flatMap(({ page, title, text }) => `${page} ${title} ${text}`.toLowerCase().match(/[a-z][a-z0-9-]{3,}/g) ?? []),
  )
  return word.length < 4 || [...known].some((one) => one.includes(word)) ? word : (closestName(word, known) ?? word)
}

/** A section matches when it has every word; words in titles weigh more. A word that no section has stands for the most similar one. */
function search(text) {
  const given = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (given.length === 0) return { found: [] }
  const exact = searchWords(given)
  if (exact.length > 0) return { found: exact }
  const words = given.map(corrected)
  const instead = words.join(' ')
  return instead === given.join(' ') ? { found: [] } : { found: searchWords(words), instead }
}

function searchWords(words) {
  const found = []
  for (const section of sections) {
    const [page, title, body] = [section.page, section.title, section.text].map((one) => one.toLowerCase())
    let score = 0
    for (const word of words) {
      const own = (title.includes(word) ? 8 : 0) + (page.includes(word) ? 4 : 0) + Math.min(3, body.split(word).length - 1)
      if (own === 0) {
        score = 0
        break
      }
      score += own
    }
    if (score > 0) found.push({ section, score, word: words[0] })
  }
  return found.sort((a, b) => b.score - a.score).slice(0, 12)
}

function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 30)
  return `${at > 0 ? '… ' : ''}${text.slice(at, at + 110)}`
}

function show() {
  const { found, instead } = search(input.value)
  results.hidden = input.value.trim() === ''
  results.replaceChildren(
    ...found.map(({ section, word }) => {
      const link = document.createElement('a')
      link.href = `${up}/${section.href}`
      link.textContent = section.title === section.page ? section.page : `${section.page}: ${section.title}`
      const about = document.createElement('small')
      about.textContent = excerpt(section.text, word)
      link.append(about)
      const item = document.createElement('li')
      item.append(link)
      return item
    }),
  )
  const note = found.length === 0 ? 'Nothing found. Try fewer words.' : instead === undefined ? '' : `Results for “${instead}”.`
  if (note !== '' && !results.hidden) {
    const line = document.createElement('p')
    line.textContent = note
    results.prepend(line)
  }
}

input.addEventListener('input', show)
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== input) {
    event.preventDefault()
    input.focus()
  } else if (event.key === 'Escape') results.hidden = true
  else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !results.hidden) {
    const links = [...results.querySelectorAll('a')]
    const at = links.indexOf(document.activeElement)
    links[event.key === 'ArrowDown' ? Math.min(at + 1, links.length - 1) : Math.max(at - 1, 0)]?.focus()
    event.preventDefault()
  } else if (event.key === 'Enter' && document.activeElement === input) results.querySelector('a')?.click()
})
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search')) results.hidden = true
  else if (input.value !== '') results.hidden = false
})

document.querySelector('.theme-button').addEventListener('click', () => {
  const isDark = getComputedStyle(document.documentElement).colorScheme.includes('dark')
  const theme = isDark ? 'light' : 'dark'
  document.documentElement.dataset.theme = theme
  try {
    localStorage.setItem('rollcall-theme', theme)
  } catch {}
})

const menu = document.getElementById('site-menu')
const menuButton = document.querySelector('.menu-button')
menuButton.addEventListener('click', () => {
  const isOpen = menu.classList.toggle('is-open')
  menuButton.setAttribute('aria-expanded', String(isOpen))
})
menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })

for (const block of document.querySelectorAll('pre')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    const typed = [...block.querySelectorAll('.typed')].map((one) => one.textContent.replace(/^\$ /, ''))
    const text = typed.length > 0 ? typed.join('\n') : block.querySelector('code').textContent
    try {
      await navigator.clipboard.writeText(text)
      button.textContent = 'Copied'
    } catch {
      getSelection()?.selectAllChildren(block.querySelector('code'))
      button.textContent = 'Selected'
    }
  })
  block.append(button)
}
