// The card table: boards, tray and deck. Choose a card, choose a slot. It draws first and then tells Python, holds the
// draft of one `rev` until another comes, and writes every text that may be a name through textContent.
const FACES = __FACES__
const NAMES = __NAMES__
const ROWS = ["Front", "Middle", "Back"]
const SIZES = [3, 5, 5]
const RANKS = "AKQJT98765432"
const SUITS = "shdc"

const copy = value => JSON.parse(JSON.stringify(value))

function element(tag, kind, text) {
  const made = document.createElement(tag)
  if (kind) made.className = kind
  if (text !== undefined) made.textContent = text
  return made
}

function readPosition(data) {
  return {
    seats: data.seats.map(seat => ({rows: copy(seat.rows), discards: copy(seat.discards)})),
    tray: copy(data.tray?.cards ?? []),
    put: copy(data.tray?.put ?? {}),
  }
}

// What lies where, the draft of one `rev`, and what mouse and keys do to it; drawing is up to the class below.
class Moves {
  constructor(home) {
    this.home = home
    this.root = element("div", "frame")
    this.said = element("div", "said")
    this.said.setAttribute("role", "status")
    home.append(this.root, this.said)
    this.root.addEventListener("keydown", event => this.key(event))
  }

  update(data, tell, act) {
    this.tell = tell
    this.act = act
    const signature = JSON.stringify(data)
    if (signature === this.signature) return
    this.signature = signature
    const isNew = this.data?.rev !== data.rev
    this.data = data
    if (isNew) {
      this.position = readPosition(data)
      this.past = []
      this.chosen = this.active = this.typed = null
      this.seat = 0
    }
    this.draw()
  }

  // --- what is where ---------------------------------------------------------------------------------------------
  get builds() { return Boolean(this.data.deck?.pick) && !this.data.disabled }
  get keep() { return this.data.tray?.keep ?? 0 }
  get placed() { return Object.keys(this.position.put).length }

  find(card) {
    if (this.position.tray.includes(card)) return {kind: "tray"}
    for (const [seat, {rows, discards}] of this.position.seats.entries()) {
      const row = rows.findIndex(cards => cards.includes(card))
      if (row >= 0) return {kind: "row", seat, row}
      if (discards.includes(card)) return {kind: "discards", seat}
    }
    return null
  }

  held(seat, row) {
    const put = seat === 0 ? Object.keys(this.position.put).filter(card => this.position.put[card] === row) : []
    return [...this.position.seats[seat].rows[row], ...put]
  }

  room(target) {
    if (target.kind === "row") return this.held(target.seat, target.row).length < SIZES[target.row]
    if (target.kind === "discards") {
      return this.position.seats[target.seat].discards.length < this.data.seats[target.seat].discard_slots
    }
    return this.position.tray.length < (this.data.tray?.slots ?? 0)
  }

  isLegal(card, target) {
    if (this.data.disabled || !this.room(target)) return false
    const from = this.find(card)
    if (from?.kind === "tray" && target.kind === "row" && target.seat === 0) {
      return card in this.position.put || this.placed < this.keep
    }
    if (!this.builds) return false
    if (target.kind !== "tray" && !this.data.seats[target.seat].edit) return false
    return from?.kind !== "tray" || target.kind !== "tray"
  }

  // --- moves -----------------------------------------------------------------------------------------------------
  change(move, words) {
    this.past.push(copy(this.position))
    move(this.position)
    this.chosen = null
    this.say(words)
    this.draw()
    this.share()
  }

  share() {
    const {seats, tray, put} = this.position
    this.tell("draft", {rev: this.data.rev, put: copy(put), tray: copy(tray), seats: this.builds ? copy(seats) : null})
  }

  lift(position, card) {
    for (const seat of position.seats) {
      seat.rows = seat.rows.map(cards => cards.filter(other => other !== card))
      seat.discards = seat.discards.filter(other => other !== card)
    }
    position.tray = position.tray.filter(other => other !== card)
    delete position.put[card]
  }

  put(card, target) {
    if (!this.isLegal(card, target)) return this.say(`${NAMES[card]} cannot go there`)
    const from = this.find(card)
    const place = this.where(target)
    if (target.kind === "row") this.seat = target.seat
    this.change(position => {
      if (from?.kind === "tray" && target.kind === "row" && target.seat === 0) {
        position.put[card] = target.row
        return
      }
      this.lift(position, card)
      if (target.kind === "row") position.seats[target.seat].rows[target.row].push(card)
      else if (target.kind === "discards") position.seats[target.seat].discards.push(card)
      else position.tray.push(card)
    }, `${NAMES[card]}: ${place}`)
    this.advance()
  }

  advance() {
    if (!this.active || this.room(this.active)) return
    const {kind, seat, row} = this.active
    const next = kind === "row" ? [row + 1, row + 2, row + 3].map(n => n % 3).find(n => this.room({kind, seat, row: n})) : undefined
    this.active = next === undefined ? null : {kind, seat, row: next}
    this.draw()
  }

  takeBack(card) {
    if (card in this.position.put) this.change(position => { delete position.put[card] }, `${NAMES[card]} taken back`)
    else if (this.builds) this.change(position => this.lift(position, card), `${NAMES[card]} taken off`)
  }

  undo() {
    if (!this.past.length) return
    this.position = this.past.pop()
    this.chosen = null
    this.say("Undone")
    this.draw()
    this.share()
  }

  choose(card) {
    if (this.data.disabled) return
    if (this.active && !this.find(card) && this.isLegal(card, this.active)) return this.put(card, this.active)
    this.chosen = this.chosen === card ? null : card
    this.say(this.chosen ? `${NAMES[card]} chosen` : "No card chosen")
    this.draw()
  }

  pickSlot(target) {
    if (this.chosen) return this.put(this.chosen, target)
    if (!this.builds) return this.say("Choose a card first")
    const same = JSON.stringify(this.active) === JSON.stringify(target)
    this.active = same ? null : target
    if (target.kind === "row") this.seat = target.seat
    this.say(same ? "No slot chosen" : `The next cards go to: ${this.where(target)}`)
    this.draw()
  }

  confirm() {
    if (this.placed !== this.keep) return
    this.act("act", {rev: this.data.rev, kind: "confirm", put: copy(this.position.put)})
  }

  where(target) {
    if (target.kind === "tray") return this.data.tray?.name ?? "dealt"
    const seat = this.data.seats.length > 1 ? `, ${this.data.seats[target.seat].name}` : ""
    return (target.kind === "discards" ? "discards" : ROWS[target.row].toLowerCase()) + seat
  }

  say(words) { this.said.textContent = words }

  // --- keys ------------------------------------------------------------------------------------------------------
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const row = {f: 0, m: 1, b: 2}[key]
    let taken = true
    if (key === "Escape") {
      this.chosen = this.active = this.typed = null
      this.say("No card chosen")
      this.draw()
    } else if (this.typed && SUITS.includes(key)) {
      const card = this.typed + key
      this.typed = null
      if (card in NAMES) this.choose(card)
    } else if (row !== undefined && this.chosen) {
      const seat = this.find(this.chosen)?.kind === "tray" ? 0 : (this.seat ?? 0)
      this.put(this.chosen, {kind: "row", seat, row})
    } else if (key === "u") this.undo()
    else if (this.builds && RANKS.toLowerCase().includes(key)) this.typed = key.toUpperCase()
    else if (!this.builds && /^[1-9]$/.test(key)) {
      const card = this.position.tray[Number(key) - 1]
      if (card) this.choose(card)
    } else if ((key === "Delete" || key === "Backspace") && this.chosen) this.takeBack(this.chosen)
    else if (key.startsWith("Arrow")) this.step(key)
    else taken = false
    if (taken) {
      event.preventDefault()
      event.stopPropagation()
    }
  }

  step(key) {
    const now = this.home.activeElement ?? this.root.ownerDocument.activeElement
    const all = [...this.root.querySelectorAll("button:not(:disabled)")]
    if (!all.includes(now)) return all[0]?.focus()
    const middle = box => [box.left + box.width / 2, box.top + box.height / 2]
    const [x, y] = middle(now.getBoundingClientRect())
    const [dx, dy] = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[key]
    let best = null, least = Infinity
    for (const other of all) {
      const [ox, oy] = middle(other.getBoundingClientRect())
      const along = (ox - x) * dx + (oy - y) * dy
      const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx)
      if (along > 2 && along + 3 * aside < least) [best, least] = [other, along + 3 * aside]
    }
    best?.focus()
  }
}
