// Placements of a spot as one table: the mark, the cards, an interval on a shared axis, and the numbers.
const FACES = __FACES__
const NAMES = __NAMES__

function element(tag, kind, text) {
  const made = document.createElement(tag)
  if (kind) made.className = kind
  if (text !== undefined) made.textContent = text
  return made
}

function group(letter, name, cards, kind) {
  const made = element("span", `group ${kind}`)
  const head = element("b", "", letter)
  head.setAttribute("aria-label", name)
  head.setAttribute("role", "img")
  made.append(head)
  for (const card of cards) {
    const face = element("span", "card")
    face.setAttribute("role", "img")
    face.setAttribute("aria-label", NAMES[card] ?? "hidden card")
    if (card in FACES) face.innerHTML = FACES[card]
    made.append(face)
  }
  return made
}

function axisOf(data, row) {
  const axis = element("span", "axis")
  const [low, high] = data.axis
  const at = value => `${Math.max(0, Math.min(100, 100 * (value - low) / (high - low)))}%`
  if (!row) {
    for (const tick of data.ticks) {
      const made = element("span", "tick", tick.text)
      made.style.left = at(tick.value)
      axis.append(made)
    }
    return axis
  }
  const band = element("span", "band")
  band.style.left = at(data.band[0])
  band.style.right = `calc(100% - ${at(data.band[1])})`
  const bar = element("span", "bar")
  bar.style.left = at(row.low)
  bar.style.right = `calc(100% - ${at(row.high)})`
  const dot = element("span", "dot")
  dot.style.left = at(row.value)
  axis.append(band, bar, dot)
  return axis
}

function rowOf(data, row, pick) {
  const line = element("tr", [row.yours ? "yours" : "", row.near ? "near" : "", data.pick ? "" : "fixed"].join(" "))
  const rank = element("td", "rank")
  const mark = element("span", `mark ${row.kind}`, row.mark)
  mark.title = row.verdict
  rank.append(mark)
  const cards = element("td", "cards")
  const put = element("span", "put")
  for (const [letter, name, held] of [["F", "front", row.front], ["M", "middle", row.middle], ["B", "back", row.back]]) {
    if (held.length) put.append(group(letter, name, held, ""))
  }
  if (row.discard.length) put.append(group("✕", "discard", row.discard, "out"))
  if (row.yours) put.append(element("span", "pill", data.yours))
  cards.append(put)
  const plot = element("td", "plot")
  plot.setAttribute("aria-hidden", "true")
  plot.append(axisOf(data, row))
  const ev = element("td", "ev")
  ev.append(element("strong", "", row.ev))
  if (row.error) ev.append(element("span", "soft", ` ±${row.error}`))
  const loss = element("td", "loss soft", row.loss)
  if (row.loss) loss.dataset.label = "Loss"
  const foul = element("td", "foul", row.foul)
  foul.dataset.label = "Foul"
  const fantasyland = element("td", "fl", row.fantasyland)
  fantasyland.dataset.label = "Fantasyland"
  line.append(rank, cards, plot, ev, loss, foul, fantasyland)
  if (data.pick) {
    line.tabIndex = 0
    line.setAttribute("aria-label", row.label)
    line.onclick = () => pick(row.key)
    line.onkeydown = event => {
      if (event.key !== "Enter" && event.key !== " ") return
      event.preventDefault()
      pick(row.key)
    }
  }
  return line
}

function draw(host, root, data, pick) {
  const focused = root.getRootNode().activeElement?.dataset?.key
  const table = element("table")
  table.setAttribute("aria-label", data.name)
  const head = element("tr")
  const heads = [["", "left"], ["Placement", "left"], [null, "plot"], ["EV, points", ""], ["Loss", ""], ["Foul", ""], ["Fantasyland", ""]]
  for (const [text, kind] of heads) {
    const made = element("th", kind, text ?? undefined)
    made.scope = "col"
    if (text === null) {
      made.append(axisOf(data, null))
      made.setAttribute("aria-hidden", "true")
    } else if (!text) made.setAttribute("aria-label", "Verdict")
    if (data.help[text]) made.title = data.help[text]
    head.append(made)
  }
  const top = element("thead")
  top.append(head)
  const body = element("tbody")
  const shown = host.ofclabAll ? data.rows : data.rows.filter((row, i) => i < data.first || row.yours)
  for (const row of shown) {
    const line = rowOf(data, row, pick)
    line.dataset.key = row.key
    body.append(line)
  }
  table.append(top, body)
  const parts = [table]
  if (data.rows.length > shown.length) {
    const more = element("button", "more", `Show all ${data.rows.length}`)
    more.type = "button"
    more.onclick = () => {
      host.ofclabAll = true
      draw(host, root, data, pick)
    }
    parts.push(more)
  }
  root.replaceChildren(...parts)
  if (focused) [...root.querySelectorAll("tr")].find(line => line.dataset.key === focused)?.focus({preventScroll: true})
}

export default function({data, parentElement, setTriggerValue}) {
  const host = parentElement.host ?? parentElement
  if (!host.ofclabRows || host.ofclabRows.getRootNode() !== parentElement) {
    host.ofclabRows = element("div", "frame")
    host.ofclabSeen = null
    parentElement.append(host.ofclabRows)
  }
  const signature = JSON.stringify(data)
  if (signature === host.ofclabSeen) return
  host.ofclabSeen = signature
  if (data.rows.length <= data.first) host.ofclabAll = false
  draw(host, host.ofclabRows, data, key => setTriggerValue("pick", {rev: data.rev, key}))
}
