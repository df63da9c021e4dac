/** The value of a flag: `--port=80`, `--port 80` or, with `short`, `-p 80`. The last one counts. */
export function flagValue(words: readonly string[], name: string, short?: string): string | undefined {
  const at = words.findLastIndex((word) => word === `--${name}` || word === short || word.startsWith(`--${name}=`))
  return at < 0 ? undefined : words[at]!.includes('=') ? words[at]!.slice(name.length + 3) : words[at + 1]
}
