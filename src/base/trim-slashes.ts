/** Without the slashes at its end. The time of the expression `/\/+$/` grows with the square of the length. */
export function trimLastSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}
