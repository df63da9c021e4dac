// The theme and the copy buttons.

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]
const storageKey = 'rollcall-theme'

export function startThemeSwitch(): void {
  const root = document.documentElement
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('[data-theme-choice]')]
  const choose = (theme: Theme) => {
    if (theme === 'system') root.removeAttribute('data-theme')
    else root.setAttribute('data-theme', theme)
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset['themeChoice'] === theme))
  }
  for (const button of buttons)
    button.addEventListener('click', () => {
      const theme = themes.find((one) => one === button.dataset['themeChoice']) ?? 'system'
      choose(theme)
      try {
        localStorage.setItem(storageKey, theme)
      } catch {
        // Not every browser has storage for a page that was opened from a file.
      }
    })
  choose(storedTheme())
}

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageKey)
    return themes.find((one) => one === stored) ?? 'system'
  } catch {
    return 'system'
  }
}

export function startCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copies]')) {
    button.addEventListener('click', async () => {
      const source = document.getElementById(button.dataset['copies'] ?? '')
      const isCopied = source !== null && (await copy(source))
      button.textContent = isCopied ? 'Copied' : 'Select it'
    })
    for (const leaving of ['blur', 'pointerleave'])
      button.addEventListener(leaving, () => {
        button.textContent = 'Copy'
      })
  }
}

/** Where the clipboard cannot be written, the text is selected instead. */
async function copy(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '')
    return true
  } catch {
    getSelection()?.selectAllChildren(source)
    return false
  }
}
