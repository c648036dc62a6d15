// The page was made by posting a form: a reload reads it again instead of posting once more.
if (document.querySelector('[data-posted]')) history.replaceState(null, '', location.pathname)
