# Fit rpart trees and say all about them, as JSON.
# Rscript rpart_oracle.R FOLDER: every sub-folder holds job.R, data.csv and perhaps new.csv (as
# tests/oracle.py writes them); result.json is written beside them.
suppressPackageStartupMessages(library(rpart))

# ---- JSON, with every digit --------------------------------------------------------------------
quoted <- function(x) paste0('"', gsub('(["\\\\])', "\\\\\\1", x), '"')
plain <- function(x) ifelse(is.finite(x), sprintf("%.17g", x), "null")
list_of <- function(items) paste0("[", paste(items, collapse = ", "), "]")
json <- function(x) {
  if (is.null(x)) return("null")
  if (is.matrix(x)) return(list_of(vapply(seq_len(nrow(x)), function(i) json(unname(x[i, ])), "")))
  if (is.list(x)) {
    inside <- vapply(x, json, "")
    if (is.null(names(x))) return(list_of(inside))
    return(paste0("{", paste0(quoted(names(x)), ": ", inside, collapse = ", "), "}"))
  }
  if (is.character(x)) return(list_of(quoted(x)))
  list_of(plain(as.numeric(x)))
}

# ---- data: every cell is text, "?" is missing, numbers are written in base 16 to be exact ---------
read_table <- function(path, levels, ordered) {
  d <- read.csv(path, colClasses = "character", na.strings = "?", check.names = FALSE)
  for (name in names(d)) {
    d[[name]] <- if (is.null(levels[[name]])) as.numeric(d[[name]])
    else factor(d[[name]], levels = levels[[name]], ordered = name %in% ordered)
  }
  d
}

# ---- what a fit knows ------------------------------------------------------------------------------
splits_of <- function(fit) {
  s <- fit$splits
  if (is.null(s)) return(NULL)
  f <- fit$frame[fit$frame$var != "<leaf>", ]
  node <- rep(as.numeric(row.names(f)), 1 + f$ncompete + f$nsurrogate)
  role <- unlist(lapply(seq_len(nrow(f)), function(i) {
    c("primary", rep("competitor", f$ncompete[i]), rep("surrogate", f$nsurrogate[i]))
  }))
  list(node = node, role = role, var = rownames(s), count = s[, "count"], ncat = s[, "ncat"],
       improve = s[, "improve"], index = s[, "index"],
       adj = if ("adj" %in% colnames(s)) s[, "adj"] else rep(0, nrow(s)))
}

frame_of <- function(fit) {
  f <- fit$frame
  c(list(node = as.numeric(row.names(f)), var = as.character(f$var), n = f$n, wt = f$wt,
         dev = f$dev, yval = f$yval, complexity = f$complexity, ncompete = f$ncompete,
         nsurrogate = f$nsurrogate, label = labels(fit, digits = 12, minlength = 0)),
    if (!is.null(f$yval2)) list(yval2 = unclass(f$yval2)))
}

predictions <- function(fit, d) {
  terms <- delete.response(fit$terms)
  x <- model.frame(terms, d, na.action = na.pass, xlev = attr(fit, "xlevels"))
  at <- rpart:::pred.rpart(fit, rpart:::rpart.matrix(x))
  kind <- if (fit$method == "class") "prob" else "vector"
  value <- predict(fit, d, type = kind)
  list(node = as.numeric(row.names(fit$frame))[at],
       value = if (is.matrix(value)) unname(value) else cbind(unname(value)))
}

named <- function(x) if (is.null(x)) NULL else list(name = names(x), value = unname(x))

result_of <- function(fit, d, new) {
  node <- as.numeric(row.names(fit$frame))
  middle <- fit$cptable[(nrow(fit$cptable) + 1) %/% 2, "CP"]
  small <- prune(fit, cp = middle)
  list(
    version = as.character(packageVersion("rpart")),
    r = paste(R.version$major, R.version$minor, sep = "."),
    frame = frame_of(fit), splits = splits_of(fit), csplit = fit$csplit,
    cptable = list(name = colnames(fit$cptable), value = unname(fit$cptable)),
    importance = named(fit$variable.importance),
    kept = as.integer(names(fit$where)) - 1, where = node[fit$where],
    train = predictions(fit, d), new = if (!is.null(new)) predictions(fit, new),
    pruned = list(cp = middle, node = as.numeric(row.names(small$frame)),
                  importance = named(small$variable.importance))
  )
}

for (folder in list.dirs(commandArgs(TRUE)[1], recursive = FALSE)) {
  job <- new.env()
  job$folder <- folder
  sys.source(file.path(folder, "job.R"), job)  # leaves d, new and fit in job
  cat(json(result_of(job$fit, job$d, job$new)), file = file.path(folder, "result.json"))
}
