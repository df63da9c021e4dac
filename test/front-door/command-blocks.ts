// Finds the blocks of a page that have commands.
import { marked, type Token } from 'marked'

export interface CodeBlock {
  readonly language: string
  readonly text: string
}

/** How lines of commands begin. */
const command =
  /^\s*(?:\$ |(?:[A-Z_]+=\S* )?(?:sudo )?(?:rollcall|kubectl|helm|docker|npm|npx|node|go|bash|export|kubeadm|e2e\.test|git|curl|brew)(?: |$))/m
const shells = new Set(['console', 'sh', 'bash', 'shell', 'zsh'])

function codeBlocks(tokens: readonly Token[]): CodeBlock[] {
  return tokens.flatMap((token) => {
    if (token.type === 'code') return [{ language: (token.lang ?? '').split(/\s+/)[0] ?? '', text: token.text as string }]
    const children = [...(token.type === 'list' ? (token.items as Token[]) : []), ...('tokens' in token ? (token.tokens ?? []) : [])]
    return codeBlocks(children)
  })
}

/** Blocks in lists and indented blocks too. Programs and manifests are none. */
export const commandBlocks = (page: string): CodeBlock[] =>
  codeBlocks(marked.lexer(page)).filter(
    ({ language, text }) => shells.has(language) || (/^(?:text)?$/.test(language) && command.test(text)),
  )

/** The flags of each command (`chaos node`), from docs/reference/commands.md. */
export function commandFlags(reference: string): ReadonlyMap<string, ReadonlySet<string>> {
  const sections = reference.split(/^## rollcall /m).slice(1)
  return new Map(
    sections.map((section) => {
      const name = section.slice(0, section.indexOf('\n')).trim()
      const rows = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, row = '']) => row)
      return [name, new Set(['--help', '-h', ...rows.flatMap((row) => row.match(/(?<![\w-])--?[a-z][\w-]*/g) ?? [])])]
    }),
  )
}

/** The commands of a page, in blocks and in sentences, that have an unknown name or flag. */
export function unknownFlags(page: string, known: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const joined = page.replaceAll(/\\\n\s*/g, ' ').replaceAll(/`([^`\n]*)\n([^`\n]*)`/g, '`$1 $2`')
  const typed = joined.matchAll(/(?:^|[`(]|\$ |\| |npx |rollcall -- )(?:npx )?rollcall ([a-z][^`\n|;&>]*)/gm)
  return [...typed].flatMap(([, text = '']) => {
    const words = text.replaceAll(/'[^']*'|"[^"]*"|#.*$/g, '').split(/\s+/)
    const pair = words.slice(0, 2).join(' ')
    const name = known.has(pair) ? pair : words[0]!
    const flags = known.get(name) ?? flagsOfGroup(name, known)
    if (flags === undefined) return [`rollcall ${text}: there is no command ${name}`]
    const unknown = words.map((word) => /^--?[a-z][\w-]*/.exec(word)?.[0]).filter((flag) => flag !== undefined && !flags.has(flag))
    return unknown.length === 0 ? [] : [`rollcall ${text}: has no ${unknown.join(', ')}`]
  })
}

/** `chaos` alone is not a command, and has those of its commands. */
function flagsOfGroup(name: string, known: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> | undefined {
  const members = [...known].filter(([one]) => one.startsWith(`${name} `))
  return members.length === 0 ? undefined : new Set(members.flatMap(([, flags]) => [...flags]))
}
