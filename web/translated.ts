// A browser that translates a page puts <font><font>…</font></font> in the places of texts. React keeps the nodes it made:
// removing one, or inserting before it, then throws (facebook/react#11538), and its new text is seen by nobody, so that an
// old amount would stay on the screen.

/** What stands in the place of a text that was taken out. */
const standIns = new WeakMap<Node, Element>()
/** Each stands for one text. */
const taken = new WeakSet<Node>()

const isWrapper = (node: Node | null | undefined): node is Element => node?.nodeName === 'FONT'
const isFree = (node: Node | null): node is Element => isWrapper(node) && !taken.has(node)

/** What stands among the children of `parent` for this node: what wraps it, or what replaced it. */
function placeIn(parent: Node, node: Node): Element | undefined {
  let place: Node | undefined = node
  while (place && place.parentNode !== parent)
    place = isWrapper(place.parentNode) ? place.parentNode : standIns.get(place)
  return place as Element | undefined
}

function guard(): void {
  const { removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    if (child.parentNode === this) return removeChild.call(this, child) as Child
    const place = placeIn(this, child)
    // A wrapper may hold more than this child.
    if (place?.contains(child)) child.parentNode?.removeChild(child)
    else place?.remove()
    if (place?.textContent === '') place.remove()
    return child
  }
  Node.prototype.insertBefore = function <Child extends Node>(this: Node, child: Child, before: Node | null): Child {
    const isAway = before !== null && before.parentNode !== this
    return insertBefore.call(this, child, isAway ? (placeIn(this, before) ?? null) : before) as Child
  }
}

/** Remembers what took the place of a text, and brings the text back when it changes; then it is translated anew. */
const observer = new MutationObserver((records) => {
  for (const { type, target, addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    if (type === 'characterData') {
      if (!target.isConnected) standIns.get(target)?.replaceWith(target)
      continue
    }
    for (const text of removedNodes) {
      const wrapper = [...addedNodes, previousSibling, nextSibling].find(isFree)
      if (text.nodeType !== Node.TEXT_NODE || !wrapper) continue
      standIns.set(text, wrapper)
      taken.add(wrapper)
      observer.observe(text, { characterData: true })
    }
  }
})

/** Once, before anything is drawn. */
export function surviveTranslation(): void {
  guard()
  observer.observe(document.body, { childList: true, subtree: true })
}
