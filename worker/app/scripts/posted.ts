// This page answered a form: a reload then reads it again instead of posting once more.
if (document.querySelector('[data-posted]')) history.replaceState(null, '', location.pathname)
