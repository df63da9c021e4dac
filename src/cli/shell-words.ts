// Commands as a shell takes them.

const isPlain = /^[\w@%+=:,./±-]+$/

export const shellWords = (words: readonly string[]): string =>
  words.map((word) => (isPlain.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
