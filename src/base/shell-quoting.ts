// Quotes a command for a shell.

const needsNoQuotes = /^[\w@%+=:,./±-]+$/

export const quoteCommand = (words: readonly string[]): string =>
  words.map((word) => (needsNoQuotes.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
