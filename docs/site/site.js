// The script of the documentation: search, theme, menu, and buttons that copy commands. It loads nothing.
const up = document.body.dataset.up
const input = document.getElementById('site-search')
const results = document.getElementById('site-results')

/** A section matches when it has every word; words in titles weigh more. */
function search(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const found = []
  for (const section of globalThis.rollcallSearch ?? []) {
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
  const found = search(input.value)
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
  if (found.length === 0 && !results.hidden) {
    const nothing = document.createElement('p')
    nothing.textContent = 'Nothing found. Try fewer words.'
    results.append(nothing)
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
