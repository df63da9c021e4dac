// Shell patterns: `*`, `?`, `[a-z]`, and a backslash that takes their meaning away.

const compiled = new Map<string, RegExp>()

export function isMatch(text: string, pattern: string): boolean {
  let expression = compiled.get(pattern)
  if (expression === undefined) {
    if (compiled.size > 1000) compiled.clear()
    expression = compile(pattern)
    compiled.set(pattern, expression)
  }
  return expression.test(text)
}

function compile(pattern: string): RegExp {
  let source = ''
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!
    if (char === '\\') source += escaped(pattern[++at] ?? '\\')
    else if (char === '*') source += source.endsWith('[^]*') ? '' : '[^]*'
    else if (char === '?') source += '[^]'
    else if (char === '[') {
      const set = /^\[([!^]?)(\]?[^\]]*)\]/.exec(pattern.slice(at))
      if (set === null) source += '\\['
      else {
        source += `[${set[1] ? '^' : ''}${set[2]!.replace(/[\\\]^]/g, '\\$&')}]`
        at += set[0].length - 1
      }
    } else source += escaped(char)
  }
  try {
    return new RegExp(`^${source}$`)
  } catch {
    return /^(?!)/
  }
}

const escaped = (char: string) => char.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
